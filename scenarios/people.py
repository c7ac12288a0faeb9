"""People of a scenario: a name, addresses and a phone number out of a locale's pool."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from heron.scenarios.locales import Locale
from heron.scenarios.slot_schema import PersonSlot

ATTRIBUTES = (
    "name",
    "first_name",
    "last_name",
    "gender",
    "email",
    "phone",
    "address",
    "city_living",
    "country",
)
"""What a placeholder may say of a person; records with fields of these names are filled by it."""

DIGITS = range(100, 200)
"""Last digits of phone numbers; in every pool they stay within the range for fiction."""


@dataclass(frozen=True)
class Person:
    """Somebody in a scenario."""

    first_name: str
    last_name: str
    gender: Literal["Female", "Male"]
    email: str
    phone: str
    address: str
    city_living: str
    country: str

    @property
    def name(self) -> str:
        """First and last name."""
        return f"{self.first_name} {self.last_name}".strip()

    def attribute(self, name: str) -> str:
        """One of ``ATTRIBUTES``."""
        return str(getattr(self, name))


@dataclass
class Crowd:
    """The people drawn so far, so that no two of them share a name or a number."""

    locale: Locale
    first: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    digits: set[int] = field(default_factory=set)

    def draw(
        self, rng: random.Random, slot: PersonSlot, locale: Locale, relative: Person | None
    ) -> Person:
        """One more person.

        Args:
            rng: the slot's own stream.
            slot: what is asked for.
            locale: of the name; address and number are the crowd's.
            relative: whose last name it gets.
        """
        gender: Literal["f", "m"] = rng.choice(("f", "m"))
        gender = slot.gender or gender
        first = self._pick(rng, getattr(locale.first_names, gender), self.first)
        last = self._pick(rng, locale.last_names, self.last)
        if relative is not None:
            last = relative.last_name
        home = self.locale
        digits = self._digits(rng)
        city = rng.choice(home.cities)
        street = rng.choice(home.streets)
        drawn = Person(
            first_name=first,
            last_name=last,
            gender="Female" if gender == "f" else "Male",
            email=f"{address_part(first)}.{address_part(last)}@{rng.choice(home.email_domains)}",
            phone=home.phone.format(digits=digits),
            address=home.address.format(street=street, number=rng.randint(1, 98), city=city),
            city_living=city,
            country=home.country,
        )
        return replace(drawn, **cast("dict[str, Any]", slot.fixed)) if slot.fixed else drawn

    def _digits(self, rng: random.Random) -> int:
        """One of the numbers that are left, without a list of them."""
        found = DIGITS[rng.choice(range(len(DIGITS) - len(self.digits)))]
        for taken in sorted(self.digits):
            found += taken <= found
        self.digits.add(found)
        return found

    def _pick(self, rng: random.Random, pool: Sequence[str], taken: set[str]) -> str:
        left = [name for name in pool if name not in taken]
        name = rng.choice(left or pool)
        taken.add(name)
        return name


_SPELLED = str.maketrans({"ß": "ss", "ä": "ae", "ö": "oe", "ü": "ue", "ñ": "n"})


def address_part(name: str) -> str:
    """A name as it stands in an email address."""
    flat = unicodedata.normalize("NFKD", name.casefold().translate(_SPELLED))
    return "".join(c for c in flat if c.isascii() and c.isalnum())
