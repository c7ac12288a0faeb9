"""Backgrounds: size and seeds, that they hang together, that they keep off the scenario."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

import pytest

from heron.scenarios import locales
from heron.scenarios.background.cast import Casting, Size
from heron.scenarios.background.filler import PROFILES, furnish
from heron.scenarios.background.keeping import DONE_REMINDERS, QUIET, Keeper
from heron.scenarios.background.plots import plots
from heron.scenarios.background.shop import Shop
from heron.scenarios.background.taken import Taken, taken_by
from heron.scenarios.background.telling import Teller
from heron.scenarios.builder import build
from heron.scenarios.loader import Suite
from heron.scenarios.people import Person
from heron.scenarios.schema import Scenario
from heron.scenarios.slots import draw
from heron.seeds import stream
from heron.sim.app import Owner
from heron.sim.apps.calendar.records import CalendarEvent
from heron.sim.changes import plain
from heron.sim.installed import choose
from heron.sim.world import World

Read = Callable[[str], Scenario]
Profile = Literal["light", "full"]
LIVED_IN: tuple[Profile, ...] = ("light", "full")


@dataclass(frozen=True)
class Filled:
    """A phone with filler alone, and what the scenario has claimed."""

    world: World
    taken: Taken
    owner: Any

    def rows(self, app: str, table: str) -> list[Any]:
        """Records of one table."""
        return list(self.world.apps[app].tables[table])


def filled(scenario: Scenario, seed: int, profile: Profile) -> Filled:
    scope = draw(scenario.id, seed, scenario.slots, scenario.phone.start, scenario.locale)
    owner: Any = scope.values[scenario.phone.owner]
    world = World(
        Owner(owner.name, owner.email, owner.phone), scope.start(), choose(scenario.phone.apps)
    )
    furnish(world, scenario, scope, seed, profile)
    return Filled(world, taken_by(scenario, scope), owner)


@pytest.fixture(scope="module")
def some(suite: Suite) -> list[Scenario]:
    """Eight scenarios, spread over the suite."""
    return list(suite.scenarios[:: max(1, len(suite) // 8)])[:8]


@pytest.fixture(scope="module")
def phones(some: list[Scenario]) -> list[Filled]:
    """Some scenarios' phones, with a full background each."""
    return [filled(scenario, seed, "full") for seed, scenario in enumerate(some)]


@pytest.fixture
def read_small(small: str, tmp_path: Any) -> Scenario:
    """The small scenario, over email and reminders alone."""
    from heron.scenarios.loader import load_file

    file = tmp_path / "small.yaml"
    file.write_text(small, encoding="utf-8")
    return load_file(file)


def size(world: World) -> int:
    return sum(len(table) for app in world.apps.values() for table in app.tables.values())


def blank(scenario: Scenario) -> World:
    return World(Owner("Nobody Inparticular", "n@example.org"), datetime(2026, 1, 1), choose())


# --- size and seeds -----------------------------------------------------------------------------


@pytest.mark.parametrize("profile", LIVED_IN)
def test_the_profiles_have_about_the_records_that_they_promise(
    some: list[Scenario], profile: Profile
) -> None:
    wanted = PROFILES[profile].records
    for scenario in some:
        for seed in (0, 1):
            records = size(filled(scenario, seed, profile).world) - size(blank(scenario))
            assert wanted <= records <= wanted + 25, scenario.id


def test_full_is_spread_over_the_apps(phones: list[Filled]) -> None:
    for phone in phones:
        assert len(phone.rows("email", "emails")) >= 350
        assert len(phone.rows("messaging", "messages")) >= 500
        assert len(phone.rows("calendar", "events")) >= 100
        assert len(phone.rows("contacts", "contacts")) >= 60
        assert len(phone.rows("notes", "notes")) >= 20
        assert len(phone.rows("cab", "rides")) >= 10
        assert len(phone.rows("shopping", "orders")) >= 15
        assert phone.rows("reminder", "reminders")
        assert phone.rows("files", "files")


def test_years_of_it_and_the_recent_past_is_denser(phones: list[Filled]) -> None:
    for phone in phones:
        ages = sorted((phone.taken.start - m.timestamp).days for m in phone.rows("email", "emails"))
        assert ages[-1] > 900
        assert ages[0] <= 14
        assert ages[len(ages) // 2] < 0.5 * ages[-1]


def test_bare_adds_nothing_and_is_what_a_scenario_has_unless_it_says_otherwise(
    some: list[Scenario], read_small: Scenario, small: str
) -> None:
    for scenario in some:
        assert scenario.background == "bare"
        assert build(scenario, 3).world.digest() == build(scenario, 3, "bare").world.digest()
    light = read_small.model_copy(update={"background": "light"})
    light._document = read_small.document
    assert build(light, 0).world.digest() == build(read_small, 0, "light").world.digest()
    assert build(light, 0, "bare").world.digest() == build(read_small, 0).world.digest()


@pytest.mark.parametrize("profile", LIVED_IN)
def test_seed_scenario_and_profile_decide(some: list[Scenario], profile: Profile) -> None:
    scenario, other = some[:2]
    first = filled(scenario, 5, profile).world
    assert filled(scenario, 5, profile).world.digest() == first.digest()
    names = {c.name for c in first.apps["contacts"].tables["contacts"] if not c.is_user}
    for phone in (filled(scenario, 6, profile), filled(other, 5, profile)):
        others = {c.name for c in phone.rows("contacts", "contacts")}
        assert len(names & others) < len(names) / 2


IN_A_PROCESS = """
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
scenarios = load_suite().scenarios[:3]
print([build(s, 4, p).world.digest() for s in scenarios for p in ("light", "full")])
"""


@pytest.mark.slow
def test_the_hash_salt_does_not_count() -> None:
    found = set()
    for salt in ("0", "1", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", IN_A_PROCESS],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": salt},
        )
        found.add(done.stdout)
    assert len(found) == 1


FAKER = """
import sys
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
scenario = load_suite().scenarios[0]
build(scenario, 0)
assert "faker" not in sys.modules
build(scenario, 0, "light")
assert "faker" in sys.modules
"""


def test_faker_is_imported_only_where_filler_is_made() -> None:
    subprocess.run([sys.executable, "-c", FAKER], check=True)


# --- it hangs together --------------------------------------------------------------------------


def test_people_in_mails_are_in_contacts_and_chats(phones: list[Filled]) -> None:
    for phone in phones:
        contacts = {c.email: c.name for c in phone.rows("contacts", "contacts") if not c.is_user}
        people = {p.name for p in phone.rows("messaging", "people")}
        assert set(contacts.values()) == people
        writers = [m.sender for m in phone.rows("email", "emails") if m.folder != "SENT"]
        persons = [w for w in writers if not w.startswith(("post@", "orders@"))]
        assert len(persons) > 100
        assert set(persons) <= set(contacts)
        sent = [m for m in phone.rows("email", "emails") if m.folder == "SENT"]
        assert {m.sender for m in sent} == {phone.owner.email}


def test_chats_have_their_people_and_messages_their_chats(phones: list[Filled]) -> None:
    for phone in phones:
        people = {p.ref for p in phone.rows("messaging", "people")}
        chats = {c.ref: c for c in phone.rows("messaging", "conversations")}
        assert any(chat.group for chat in chats.values())
        for chat in chats.values():
            assert set(chat.participant_ids) <= people
        for message in phone.rows("messaging", "messages"):
            chat = chats[message.conversation_id]
            assert message.sender_id in ("me", *chat.participant_ids)


def test_answers_follow_what_they_answer(phones: list[Filled]) -> None:
    for phone in phones:
        mails = {m.ref: m for m in phone.rows("email", "emails")}
        answers = [m for m in mails.values() if m.parent_id is not None]
        assert len(answers) > 20
        for mail in answers:
            parent = mails[mail.parent_id]
            assert parent.timestamp < mail.timestamp
            assert mail.subject == f"Re: {parent.subject.removeprefix('Re: ')}"


def test_orders_have_their_mails_and_their_goods(phones: list[Filled]) -> None:
    for phone in phones:
        goods = {item.ref: item for item in phone.rows("shopping", "items")}
        mails = [m for m in phone.rows("email", "emails") if m.sender.startswith("orders@")]
        for order in phone.rows("shopping", "orders"):
            about = {
                (mail.timestamp - order.order_date) // timedelta(minutes=1)
                for mail in mails
                if all(line.name in mail.content for line in order.order_items)
            }
            assert {2, 1600} <= about, order.line()
            for line in order.order_items:
                assert goods[line.item_id].name == line.name
                assert goods[line.item_id].price == line.price
        assert not any(item.in_cart for item in goods.values())


def test_rides_go_to_events_and_reminders_belong_to_them(phones: list[Filled]) -> None:
    reminders = 0
    for phone in phones:
        events: list[CalendarEvent] = phone.rows("calendar", "events")
        for ride in phone.rows("cab", "rides"):
            there = [
                event
                for event in events
                if event.location == ride.end_location
                and event.start_datetime.date() == ride.time_stamp.date()
            ]
            assert there, ride.line()
            assert ride.state == "COMPLETED"
            assert ride.start_location == phone.owner.address
        for reminder in phone.rows("reminder", "reminders"):
            near = timedelta(days=4)
            assert any(abs(e.start_datetime - reminder.due_datetime) <= near for e in events)
            reminders += 1
    assert reminders > 10


# --- it keeps off the scenario ------------------------------------------------------------------


@pytest.mark.parametrize("profile", LIVED_IN)
def test_nobody_has_a_name_or_number_of_the_scenario(
    some: list[Scenario], profile: Profile
) -> None:
    for scenario in some:
        phone = filled(scenario, 2, profile)
        scope = draw(scenario.id, 2, scenario.slots, scenario.phone.start, scenario.locale)
        people = [value for value in scope.values.values() if isinstance(value, Person)]
        names = {name for person in people for name in (person.first_name, person.last_name)}
        contacts = [c for c in phone.rows("contacts", "contacts") if not c.is_user]
        for contact in contacts:
            assert names.isdisjoint(contact.name.split()), (scenario.id, contact.name)
            assert contact.phone not in {person.phone for person in people}
        numbers = [c.phone for c in contacts if c.phone]
        assert len(numbers) == len(set(numbers))


def times(phone: Filled) -> Iterator[datetime]:
    for app, table, field in (
        ("email", "emails", "timestamp"),
        ("messaging", "messages", "timestamp"),
        ("notes", "notes", "updated_at"),
        ("files", "files", "modified_at"),
        ("shopping", "orders", "order_date"),
        ("cab", "rides", "ended_at"),
    ):
        for row in phone.rows(app, table):
            yield getattr(row, field)


def test_it_lies_in_the_past_or_on_days_that_the_scenario_does_not_speak_of(
    phones: list[Filled],
) -> None:
    ahead = 0
    for phone in phones:
        start = phone.taken.start
        assert max(times(phone)) <= start - QUIET
        for event in phone.rows("calendar", "events"):
            for day in event.occurrences(datetime.min, datetime.max):
                length = max(1, (day.end_datetime - day.start_datetime).days)
                assert phone.taken.is_open(day.start_datetime.date(), length)
            ahead += event.start_datetime > start
        for reminder in phone.rows("reminder", "reminders"):
            assert phone.taken.is_open(reminder.due_datetime.date())
            assert reminder.due_datetime > start - QUIET - DONE_REMINDERS
        due = [app.next_due() or datetime.max for app in phone.world.apps.values()]
        assert min(due) > start + timedelta(days=2)
    assert ahead > 20


def test_what_sounds_like_the_scenarios_matter_is_left_out(
    read_small: Scenario, some: list[Scenario]
) -> None:
    phone = filled(some[0], 0, "full")
    busy = replace(phone.taken, words=phone.taken.words | {"dinner", "radio", "ghent"})
    assert not busy.free_of("A dinner for two")
    assert not busy.free_of("Radio")
    assert busy.free_of("Teapot")
    assert busy.has_name("Ghent Radio")
    text = read_small.document.text.replace("Fetch the book", "Book a table for dinner")
    from heron.scenarios.document import parse
    from heron.scenarios.loader import load_document

    scenario = load_document(parse(text))
    subjects = " ".join(m.subject for m in filled(scenario, 0, "full").rows("email", "emails"))
    assert "dinner" not in subjects.casefold()
    assert "book" not in subjects.casefold().split()


@pytest.mark.parametrize("profile", LIVED_IN)
def test_the_scenarios_records_are_the_same_but_for_their_ids(
    some: list[Scenario], profile: Profile
) -> None:
    for scenario in some:
        bare, full = build(scenario, 1), build(scenario, 1, profile)
        assert list(bare.labels) == list(full.labels)
        renamed = {ref: full.labels[label] for label, ref in bare.labels.items()}
        for label, ref in bare.labels.items():
            here, there = bare.world.record(ref), full.world.record(full.labels[label])
            if here is None:
                assert there is None
                continue
            assert there is not None
            assert type(here) is type(there)
            for name, value in plain(here).items():
                other = plain(there)[name]
                if not (isinstance(value, str) and value[:1].isalpha() and value[1:].isdecimal()):
                    continue
                assert other == renamed.get(value, other)
            assert {k: v for k, v in plain(here).items() if k in ("title", "content", "name")} == {
                k: v for k, v in plain(there).items() if k in ("title", "content", "name")
            }


def test_ids_do_not_tell_what_matters(some: list[Scenario]) -> None:
    """The scenario's numbers lie among the filler's, neither first nor last."""
    shares: list[float] = []
    for scenario in some:
        for seed in range(3):
            stage = build(scenario, seed, "full")
            for label, ref in stage.labels.items():
                record = stage.world.record(ref)
                if record is None or not ref[1:].isdecimal() or label == "me":
                    continue
                table = next(
                    t for a in stage.world.apps.values() for t in a.tables.values() if ref in t
                )
                if len(table) > 50:
                    shares.append(int(ref[1:]) / table.counter)
    assert len(shares) > 40
    assert 0.4 < sum(shares) / len(shares) < 0.6
    assert min(shares) < 0.15
    assert max(shares) > 0.85


def test_only_the_apps_that_are_there_are_filled(read_small: Scenario) -> None:
    phone = filled(read_small, 0, "full")
    assert set(phone.world.apps) == {"email", "reminder"}
    assert size(phone.world) >= 2000
    stage = build(read_small, 0, "full")
    assert stage.world.record(stage.labels["fetch"]) is not None


def test_going_back_to_the_start_of_a_full_phone_is_exact(some: list[Scenario]) -> None:
    stage = build(some[0], 0, "full")
    world = stage.world
    start, before = world.snapshot(), world.digest()
    world.advance(3600)
    world.apps["email"].tables["emails"].delete(
        next(iter(world.apps["email"].tables["emails"])).ref
    )
    assert world.digest() != before
    world.restore(start)
    assert world.digest() == before


# --- its parts ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["en_GB", "en_US", "de_DE", "es_ES"])
def test_every_locale_has_people_of_its_own(name: str) -> None:
    taken = Taken(datetime(2026, 3, 10), frozenset(), frozenset(), frozenset())
    locale = locales.load(name)
    cast = Casting(locale, taken, locale.cities[0], stream(0, name)).cast(
        Size(20, 10, 20, 5, True, 10, 5)
    )
    assert len(cast.figures) == 59
    assert len({figure.person.name for figure in cast.figures}) == 59
    assert len({str(company["name"]) for company in cast.companies}) == 10
    assert all(f.person.country == locale.country for f in cast.figures)
    assert all("@" in f.person.email and f.person.email.isascii() for f in cast.figures)


def test_a_locale_that_faker_does_not_know_has_names_all_the_same() -> None:
    taken = Taken(datetime(2026, 3, 10), frozenset(), frozenset(), frozenset())
    locale = locales.load("en_GB").model_copy(update={"name": "xx_XX"})
    cast = Casting(locale, taken, "York", stream(0)).cast(Size(2, 0, 0, 0, False, 1, 0))
    assert len(cast.figures) == 2


@pytest.mark.parametrize("plot", plots(), ids=lambda plot: plot.key)
def test_every_plot_can_be_told_and_leaves_no_placeholder(plot: Any, some: list[Scenario]) -> None:
    scenario = some[0]
    scope = draw(scenario.id, 0, scenario.slots, scenario.phone.start, scenario.locale)
    start = datetime(2026, 3, 10, 12, 0)
    taken = Taken(start, frozenset(), frozenset(), frozenset())
    rng = stream(0, plot.key)
    owner: Any = scope.values[scenario.phone.owner]
    cast = Casting(scope.locale, taken, owner.city_living, rng).cast(PROFILES["full"].people)
    shop = Shop(taken, scope.locale, start - timedelta(days=900), 5, rng)
    keeper = Keeper(owner, shop, taken, scope.locale, frozenset(choose_names()), rng)
    keeper.introduce(cast.figures, start - timedelta(days=900))
    before = len(keeper.drafts)
    for _ in range(8):
        assert Teller(cast, keeper, rng).tell(plot, start - timedelta(days=20))
    made = keeper.drafts[before:]
    assert made
    kinds = {draft.place[0] for draft in made}
    told = {
        next(iter(t.model_fields_set - {"days", "clock", "minutes", "chance"})) for t in plot.tells
    }
    assert ("email" in kinds) == ("mail" in told)
    for draft in made:
        for value in draft.fields.values():
            assert not (isinstance(value, str) and ("{" in value or "}" in value)), value


def choose_names() -> list[str]:
    return [app.NAME for app in choose()]
