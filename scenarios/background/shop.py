"""What the filler's shop sells, what was bought there, and homes to rent.

What it does not know: when something is bought (see ``telling``).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from heron.scenarios.background.drafts import Draft
from heron.scenarios.background.taken import Taken
from heron.scenarios.document import read
from heron.scenarios.locales import Locale
from heron.sim.money import cents, times

FILE = Path(__file__).parent / "shop.yaml"
CURRENCIES = {"£": "GBP", "$": "USD", "€": "EUR"}
USUAL = "USD"


@dataclass(frozen=True)
class Item:
    """A variant of a product, as filler knows it."""

    draft: Draft
    name: str
    price: float
    options: dict[str, Any]


@dataclass(frozen=True)
class Purchase:
    """An order, and how its mails tell of it."""

    draft: Draft
    what: str
    """``2 × Teapot (small), Radio``."""
    total: float


class Shop:
    """The goods on one phone.

    Args:
        taken: products that sound like the scenario's are left out.
        locale: its currency.
        opened: when the goods came into the shop.
        size: how many products.
        rng: what is drawn.
    """

    def __init__(
        self, taken: Taken, locale: Locale, opened: datetime, size: int, rng: random.Random
    ) -> None:
        self._rng = rng
        symbol = next((s for s in CURRENCIES if s in locale.currency), "")
        self.currency = CURRENCIES.get(symbol, USUAL)
        self.drafts: list[Draft] = []
        """The goods; orders are for whoever buys to keep."""
        self._items: list[Item] = []
        fitting = [p for p in _data()["products"] if taken.free_of(p["name"])]
        for product in rng.sample(fitting, min(size, len(fitting))):
            self._sell(product, opened)

    def _sell(self, product: Mapping[str, Any], opened: datetime) -> None:
        fields = {"name": product["name"], "description": product["about"]}
        made = Draft(("shopping", "products"), opened, fields)
        self.drafts.append(made)
        for value in product.get("values", [None]):
            options = {} if value is None else {product["option"]: value}
            row = {
                "product_id": made,
                "name": product["name"],
                "options": options,
                "price": product["price"],
                "currency": self.currency,
            }
            item = Draft(("shopping", "items"), opened, row)
            self.drafts.append(item)
            self._items.append(Item(item, product["name"], product["price"], options))

    def buy(self, most: int, moment: datetime) -> Purchase | None:
        """An order of up to ``most`` different things, delivered by now."""
        rng = self._rng
        if not self._items:
            return None
        bought = rng.sample(self._items, rng.randint(1, min(most, len(self._items))))
        amounts = [rng.choice((1, 1, 1, 2)) for _ in bought]
        pairs = list(zip(bought, amounts, strict=True))
        total = cents(sum(times(item.price, amount) for item, amount in pairs))
        fields = {
            "order_status": rng.choices(("delivered", "cancelled"), (19, 1))[0],
            "order_date": moment,
            "order_items": [_line(item, amount) for item, amount in pairs],
            "order_total": total,
            "currency": self.currency,
        }
        draft = Draft(("shopping", "orders"), moment, fields)
        return Purchase(draft, ", ".join(_told(item, amount) for item, amount in pairs), total)


def homes(taken: Taken, locale: Locale, opened: datetime, rng: random.Random) -> list[Draft]:
    """Homes to rent, two of them saved; none that sound like the scenario's."""
    fitting = [home for home in _data()["homes"] if taken.free_of(home["name"])]
    symbol = next((s for s in CURRENCIES if s in locale.currency), "")
    drafts = []
    for number, home in enumerate(fitting):
        fields = {
            "name": home["name"],
            "location": rng.choice(locale.streets),
            "zip_code": f"{rng.randint(10, 99)}{rng.randint(100, 999)}",
            "price": home["price"],
            "currency": CURRENCIES.get(symbol, USUAL),
            "bedrooms": home["bedrooms"],
            "bathrooms": 1,
            "square_footage": home["square_footage"],
            "property_type": home["type"],
            "saved": number < 2,
        }
        drafts.append(Draft(("apartment", "apartments"), opened, fields))
    return drafts


def _line(item: Item, amount: int) -> dict[str, Any]:
    return {
        "item_id": item.draft,
        "quantity": amount,
        "price": item.price,
        "name": item.name,
        "options": item.options,
    }


def _told(item: Item, amount: int) -> str:
    options = f" ({', '.join(map(str, item.options.values()))})" if item.options else ""
    return f"{amount} × {item.name}{options}" if amount > 1 else f"{item.name}{options}"


@cache
def _data() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    data: Mapping[str, Sequence[Mapping[str, Any]]] = read(FILE).data
    return data
