"""What the shopping app stores: products, their variants, discount codes, orders.

The cart is not a table of its own: a variant says how many of it lie in the cart, so that its id
is the only one that anybody needs for adding, changing, removing and buying.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, NaiveDatetime

from heron.sim.listing import short
from heron.sim.marks import ID, PROSE, UNORDERED, VOLATILE, Ref
from heron.sim.money import Amount, Currency, shown
from heron.sim.tables import AppRecord

ProductId = Annotated[str, Ref("product")]
ItemId = Annotated[str, Ref("item")]
OrderId = Annotated[str, Ref("order")]
Code = Annotated[str, Ref("discount_code")]
Quantity = Annotated[int, Field(ge=1, le=999)]
Percentage = Annotated[float, Field(gt=0, le=100, allow_inf_nan=False)]
Option = str | int | float | bool | tuple[str, ...]

OrderStatus = Literal["processed", "shipped", "out_for_delivery", "delivered", "cancelled"]
STEPS: tuple[OrderStatus, ...] = ("processed", "shipped", "out_for_delivery", "delivered")
"""The way of an order; it only goes forward."""
CAN_BE_CANCELLED: tuple[OrderStatus, ...] = ("processed", "shipped")


class Product(AppRecord):
    """Something that is sold, in one or more variants."""

    KIND: ClassVar[str] = "product"
    ID: ClassVar[str] = "product_id"

    product_id: Annotated[str, ID]
    name: str
    description: Annotated[str, PROSE] = ""

    def line(self) -> str:
        said = f": {self.description}" if self.description else ""
        return short(f"'{self.name}'{said}", 200)


class Variant(AppRecord):
    """A variant of a product: what can be put in the cart."""

    KIND: ClassVar[str] = "item"
    ID: ClassVar[str] = "item_id"

    item_id: Annotated[str, ID]
    product_id: ProductId
    name: str = ""
    """The product's."""
    options: dict[str, Option] = Field(default_factory=dict)
    """``{"colour": "black"}``."""
    price: Amount
    currency: Currency = "USD"
    available: bool = True
    stock: Annotated[int, Field(ge=0)] | None = None
    """How many there are; ``None`` if nobody counts."""
    in_cart: Annotated[int, Field(ge=0)] = 0
    """How many of it lie in the cart."""

    @property
    def what(self) -> str:
        """Name and options."""
        return described(self.name, self.options)

    @property
    def left(self) -> int | None:
        """How many can be had; ``None`` for any number."""
        return self.stock if self.available else 0

    def line(self) -> str:
        left = self.left
        there = "in stock" if left is None else f"{left} in stock" if left else "out of stock"
        cart = f", {self.in_cart} in the cart" if self.in_cart else ""
        return short(f"{self.what} {shown(self.price, self.currency)}, {there}{cart}", 200)


class DiscountCode(AppRecord):
    """A code that takes something off, under its rules."""

    KIND: ClassVar[str] = "discount_code"
    ID: ClassVar[str] = "discount_code"

    discount_code: Annotated[str, ID]
    percentage: Percentage | None = None
    """Off everything; ``None`` if it is for some variants only."""
    item_percentages: dict[str, Percentage] = Field(default_factory=dict)
    """Variant → per cent off it, if it is for some variants only."""
    minimum_total: Amount = 0.0
    """What the cart must come to before the discount."""
    valid_from: NaiveDatetime | None = None
    expires_at: NaiveDatetime | None = None
    uses_left: Annotated[int, Field(ge=0)] | None = None
    """``None`` for any number."""

    def off(self, item_id: str) -> float | None:
        """Per cent off a variant; ``None`` if the code is not for it."""
        if self.item_percentages:
            return self.item_percentages.get(item_id)
        return self.percentage

    def line(self) -> str:
        if self.item_percentages:
            rates = self.item_percentages.items()
            off = "off " + ", ".join(f"{ref} {rate:g} %" for ref, rate in rates)
        else:
            off = f"{self.percentage or 0:g} % off"
        rules = [
            f"from a total of {self.minimum_total:.2f}" if self.minimum_total else "",
            f"from {self.valid_from:%Y-%m-%d %H:%M}" if self.valid_from else "",
            f"until {self.expires_at:%Y-%m-%d %H:%M}" if self.expires_at else "",
            f"{self.uses_left} uses left" if self.uses_left is not None else "",
        ]
        return short(", ".join([f"{self.discount_code}: {off}", *filter(None, rules)]), 300)


class OrderItem(BaseModel):
    """One line of an order, as it was bought."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    item_id: str
    quantity: Quantity
    price: Amount
    name: str = ""
    options: dict[str, Option] = Field(default_factory=dict)

    def line(self, currency: str) -> str:
        """In one line."""
        what = described(self.name or self.item_id, self.options)
        return f"{self.quantity} × {what} at {shown(self.price, currency)}"


class Order(AppRecord):
    """Something that was bought."""

    KIND: ClassVar[str] = "order"
    ID: ClassVar[str] = "order_id"

    order_id: Annotated[str, ID]
    order_status: OrderStatus = "processed"
    order_date: Annotated[NaiveDatetime, VOLATILE]
    order_items: Annotated[tuple[OrderItem, ...], UNORDERED]
    discount_code: str | None = None
    order_total: Amount
    currency: Currency = "USD"
    expected_delivery: Annotated[date | None, VOLATILE] = None
    message: Annotated[str, PROSE] = ""
    """The shop's last word on it."""

    def line(self) -> str:
        lines = ", ".join(one.line(self.currency) for one in self.order_items)
        code = f" with {self.discount_code}" if self.discount_code else ""
        due = self.expected_delivery
        when = f", expected {due}" if due and self.order_status in STEPS[:-1] else ""
        said = f", shop: {self.message}" if self.message else ""
        return short(
            f"{self.order_date:%Y-%m-%d} {self.order_status}: {lines}, total "
            f"{shown(self.order_total, self.currency)}{code}{when}{said}",
            400,
        )


def described(name: str, options: dict[str, Any]) -> str:
    """A variant's name with what sets it apart from its siblings."""
    words = " ".join(_word(key, value) for key, value in options.items())
    return f"'{name}' {words}".strip() if words else f"'{name}'"


def _word(key: str, value: Option) -> str:
    if isinstance(value, bool):
        return key if value else f"no {key}"
    if isinstance(value, tuple):
        return "/".join(value)
    return value if isinstance(value, str) else f"{key} {value:g}"


def is_past(moment: datetime | None, now: datetime) -> bool:
    """Whether a time has come; a time that is not given never does."""
    return moment is not None and moment <= now
