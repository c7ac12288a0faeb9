"""Who turns up in filler: people with a role in the owner's life, companies, groups.

Names come from Faker, addresses and numbers from the locale's pool, as for the scenario's own
people, whose names are left out. Faker is imported here alone, when a cast is made. What it does
not know: what they do.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from heron.scenarios.background.plots import Role
from heron.scenarios.background.taken import Taken
from heron.scenarios.locales import Locale
from heron.scenarios.people import DIGITS, Person, address_part

if TYPE_CHECKING:
    from faker import Generator

TRADES: Mapping[Role, str] = {
    "hairdresser": "Hairdresser",
    "garage": "Car mechanic",
    "plumber": "Plumber",
    "bicycles": "Bicycle mechanic",
}
JOBS = (
    *("Teacher", "Nurse", "Accountant", "Librarian", "Architect", "Cook", "Translator", "Engineer"),
    *("Gardener", "Journalist", "Electrician", "Physicist", "Editor", "Bookseller", "Pharmacist"),
)
DESKS = ("Sales", "Front desk", "Planning", "Finance", "Design", "Warehouse", "Personnel")
TITLES: tuple[tuple[Role, str], ...] = (
    ("friend", "Sunday table"),
    ("family", "All of us"),
    ("colleague", "Third floor"),
    ("friend", "Choir"),
    ("friend", "Board games"),
    ("colleague", "Coffee round"),
)
FALLBACK = "en_US"
"""Faker's names where it does not know the locale."""


@dataclass(frozen=True)
class Figure:
    """Somebody of the filler."""

    person: Person
    role: Role
    job: str


@dataclass(frozen=True)
class Group:
    """A group chat."""

    title: str
    members: tuple[Figure, ...]


@dataclass(frozen=True)
class Cast:
    """Everybody who turns up."""

    figures: tuple[Figure, ...]
    companies: tuple[dict[str, str | int | float], ...]
    """Each with ``name``, ``email`` and ``address``, as templates use them."""
    groups: tuple[Group, ...]

    def of(self, roles: Sequence[Role]) -> list[Figure]:
        """Those with one of the roles."""
        return [figure for figure in self.figures if figure.role in roles]


@dataclass(frozen=True)
class Size:
    """How many of whom."""

    friends: int
    family: int
    colleagues: int
    neighbours: int
    trades: bool
    companies: int
    groups: int


class Casting:
    """Draws a cast.

    Args:
        locale: whose names and addresses.
        taken: names and numbers that are the scenario's.
        city: the owner's, where companies are and most people live.
        rng: the stream that everything is drawn from.
    """

    def __init__(self, locale: Locale, taken: Taken, city: str, rng: random.Random) -> None:
        self._locale, self._taken, self._city, self._rng = locale, taken, city, rng
        self._names = _faker(locale.name, rng.getrandbits(64))
        self._used: set[str] = set()
        numbers = [locale.phone.format(digits=digits) for digits in DIGITS]
        self._numbers = [number for number in numbers if number not in taken.numbers]
        rng.shuffle(self._numbers)
        self._streets = [s for s in locale.streets if taken.free_of(s)] or list(locale.streets)

    def cast(self, size: Size) -> Cast:
        """A cast of a size."""
        wanted: dict[Role, int] = {
            "friend": size.friends,
            "family": size.family,
            "colleague": size.colleagues,
            "neighbour": size.neighbours,
            **dict.fromkeys(TRADES if size.trades else (), 1),
        }
        figures = tuple(self._figure(role) for role, count in wanted.items() for _ in range(count))
        titles = [(role, title) for role, title in TITLES if self._taken.free_of(title)]
        groups = (self._group(figures, role, title) for role, title in titles[: size.groups])
        return Cast(
            figures=figures,
            companies=tuple(self._company() for _ in range(size.companies)),
            groups=tuple(group for group in groups if len(group.members) > 1),
        )

    def _figure(self, role: Role) -> Figure:
        rng = self._rng
        gender: Literal["Female", "Male"] = rng.choice(("Female", "Male"))
        first = self._name(f"first_name_{gender.lower()}")
        last = self._name("last_name")
        domain = rng.choice(self._locale.email_domains)
        city = rng.choice((self._city, self._city, rng.choice(self._locale.cities)))
        person = Person(
            first_name=first,
            last_name=last,
            gender=gender,
            email=f"{address_part(first)}.{address_part(last)}@{domain}",
            phone=self._numbers.pop() if self._numbers else "",
            address=self._address(city),
            city_living=city,
            country=self._locale.country,
        )
        jobs = DESKS if role == "colleague" else JOBS
        return Figure(person, role, TRADES.get(role) or rng.choice(jobs))

    def _company(self) -> dict[str, str | int | float]:
        name = self._name("company")
        slug = address_part(name)[:40]
        return {
            "name": name,
            "email": f"post@{slug}.example",
            "address": self._address(self._city),
        }

    def _group(self, figures: Sequence[Figure], role: Role, title: str) -> Group:
        fitting = [figure for figure in figures if figure.role == role]
        number = min(len(fitting), self._rng.randint(3, 6))
        return Group(title, tuple(self._rng.sample(fitting, number)))

    def _address(self, city: str) -> str:
        street, number = self._rng.choice(self._streets), self._rng.randint(1, 98)
        return self._locale.address.format(street=street, number=number, city=city)

    def _name(self, kind: str) -> str:
        """A name of which no part is the scenario's, and that nobody else has."""
        for _ in range(1000):
            name = cast(str, getattr(self._names, kind)())
            if address_part(name) and name not in self._used and not self._taken.has_name(name):
                break
        else:
            raise AssertionError(f"Faker has no {kind} left for {self._locale.name}")
        self._used.add(name)
        return name


def _faker(locale: str, seed: int) -> Generator:
    from faker.config import AVAILABLE_LOCALES
    from faker.factory import Factory

    made = Factory.create(
        locale if locale in AVAILABLE_LOCALES else FALLBACK,
        providers=["faker.providers.person", "faker.providers.company"],
    )
    made.seed_instance(seed)
    return made
