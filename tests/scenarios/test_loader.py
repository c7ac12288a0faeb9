"""Loading: every mistake is told with file, line, key and remedy, and spoils no other file."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from heron.errors import ScenarioError, UnknownName
from heron.scenarios.document import read
from heron.scenarios.loader import DATA, BrokenFile, load_file, load_suite
from heron.scenarios.schema import json_schema

Write = Callable[[str], Path]

MISTAKES = [
    # (old, new, line, key, what the message says)
    ("goal: Fetch", "gaol: Fetch", 33, "user.gaol", "did you mean 'goal'?"),
    ("summary:", "sumary:", 8, "sumary", "did you mean 'summary'?"),
    ("type: goal", "type: gaol", 4, "type", "did you mean 'goal'?"),
    ("kind: tasks_reminders", "kind: joke", 5, "kind", "no kind of goal scenario"),
    ("kind: tasks_reminders", "kind: task_reminders", 5, "kind", "did you mean 'tasks_reminders'?"),
    ("schema: 1", "schema: 2", 1, "schema", "should be 1"),
    ("id: small", "id: other", 2, "id", "the file is called 'small'"),
    ("id: small", "id: Small Talk", 2, "id", "small letters"),
    ("locale: en_GB", "locale: en_XX", 7, "locale", "unknown locale"),
    ("summary: A reminder is to be moved.\n", "", 1, None, "'summary' is missing"),
    ("title: Fetch the book,", "titel: Fetch the book,", 25, "titel", "did you mean 'title'?"),
    ("title: Fetch the book", "title: 7", 25, "reminders.0.title", "valid string"),
    ("  reminder:\n", "  reminders:\n", 23, "phone.reminders", "did you mean 'reminder'?"),
    ("    reminders:\n", "    reminder:\n", 24, "reminder.reminder", "no table 'reminder'"),
    ("apps: [reminder, email]", "apps: [reminder, mail]", 22, "apps", "unknown app 'mail'"),
    ("owner: me", "owner: you", 20, "phone.owner", "no person slot"),
    ("start: 2026-03-10 09:00", "start: tomorrow", 21, "phone.start", "YYYY-MM-DD HH:MM"),
    ("do: email.receive", "do: email.recieve", 29, "events.0.do", "did you mean 'email.receive'?"),
    ("subject: The book", "subjet: The book", 30, "with.subjet", "did you mean 'subject'?"),
    (", subject: The book", "", 30, "events.0.with", "needs 'subject'"),
    ("desk@library.example", "the desk", 30, "events.0.with", "no email address"),
    ("    at: 4\n", "", 27, "events.0", "exactly one of at, after, when"),
    ("at: 4", "at: 1" + "0" * 30, 28, "events.0.at", "less than or equal to"),
    ("at: 4", "at: -1", 28, "events.0.at", "greater than or equal to"),
    ("day: {date: {offset_days: [1, 3]}}", "day: {date: null}", 11, "slots.day", "exactly one of"),
    ("habits: [{rest: 1}]", "habits: [{see: null}]", 34, "habits.0", "exactly one of"),
    ("start: 2026-03-10", "start: 9999-12-31", 21, "phone.start", "too far away"),
    ("at: 4", "at: soon", 28, "events.0.at", "valid number"),
    ("at: 4", "after: news", 26, "events", "wait for each other"),
    ("at: 4", "after: old", 27, "events.0", "which is no event"),
    ("needs: [news,", "needs: [new,", 35, "needs.0", "did you mean 'news'?"),
    ("fetch.due_datetime", "fetch.due", 35, "needs.1", "no field 'due'"),
    ("habits: [{rest: 1}]", "habits: [{see: bok}]", 34, "habits.0.see", "unknown label 'bok'"),
    ("habits: [{rest: 1}]", "habits: [{rest: 1, see: news}]", 34, "habits.0", "exactly one of"),
    ("habits: [{rest: 1}]", "habits: 1", 34, "user.habits", "write a list"),
    (
        "habits: [{rest: 1}]",
        "habits: [{do: {app: reminder, action: list_al}}]",
        34,
        "do.action",
        "did you mean 'list_all'?",
    ),
    (
        "habits: [{rest: 1}]",
        "habits: [{do: {app: reminder, action: open_reminder, arguments: {reminder_id: 3}}}]",
        34,
        "do.arguments",
        "valid string",
    ),
    (
        "habits: [{rest: 1}]",
        "habits: [{do: {app: system, action: open}}]",
        34,
        "habits.0.do",
        "system has no 'open'",
    ),
    ("opens: news", "opens: nws", 36, "window.opens", "did you mean 'news'?"),
    ("{opens: news}", "{opens: 90, closes: 60}", 36, "window.closes", "closes before it opens"),
    ("why: act}", "why: deed}", 46, "wrong.2.why", "known: act, object, vague"),
    ("object: [[book]", "object: [[]", 48, "object.0", "at least 1 item"),
    ("{new:any_time}", "{new:any_day_of}", 48, "object.1.0", "does not suit"),
    ("[[book], [", "[[book, '{'], [", 48, "object.0.1", "brace"),
    ("update_reminder", "updte_reminder", 52, "reference.0.tool", "update_reminder"),
    ('due_datetime: "{new}"', 'due: "{new}"', 52, "arguments.due", "takes no 'due'"),
    ('"@fetch"', '"@fech"', 52, "arguments.reminder_id", "did you mean 'fetch'?"),
    ('"{new}"}}', "soon}}", 52, "reference.0.arguments", "valid datetime"),
    ('report: "Moved to {new', 'report: "Moved to {nw', 53, "report", "did you mean 'new'?"),
    ("minutes: 45", "minutes: lots", 13, "slots.new.shift", "unknown slot 'lots'"),
    ("of: due,", "of: word,", 13, "slots.new.shift", "drawn later"),
    ("on: day,", "on: dayy,", 12, "slots.due.time", "did you mean 'day'?"),
    ('from: "09:00"', 'from: "9"', 12, "due.time.from", "HH:MM"),
    ("{new:time} on", "{new:tme} on", 16, "word.choice.0", "no form of a date or time"),
    ("{person: {}}", "{persn: {}}", 10, "slots.me.persn", "did you mean 'person'?"),
    (
        "report:",
        "checks: {forbidden: [reminder.creat]}\nreport:",
        53,
        "forbidden.0",
        "reminder.create",
    ),
    ('content: "D', 'facts: ["{new:any_time}"], content: "D', 30, "facts.0", "no form"),
    ("report:", "privacy: {sensitive: [bok]}\nreport:", 53, "sensitive.0", "unknown label"),
    ("locale: en_GB", "locale: en_GB\nsplits: [quiet]", 8, "splits.0", "holds quiet scenarios"),
    (
        "start: 2026-03-10 09:00",
        "start: 2026-03-10 09:00\n  device: {mood: 1}",
        22,
        "mood",
        "no 'mood'",
    ),
    ('due_datetime: "{due}"}', 'due_datetime: "{due}", person: day}', 25, "person", "no person"),
    ("    label: news\n", "    label: fetch\n", 31, "events.0.label", "given twice"),
    (
        "    do: email",
        "    do: device.change\n    with: {battery: 1}\n  - key: b\n    at: 9\n    do: email",
        0,
        "",
        "",
    ),
]


@pytest.mark.parametrize(("old", "new", "line", "key", "says"), MISTAKES)
def test_a_mistake_is_told_where_it_is(
    small: str, write: Write, old: str, new: str, line: int, key: str | None, says: str
) -> None:
    from heron.scenarios.builder import build

    assert old in small
    file = write(small.replace(old, new, 1))
    if not says:
        build(load_file(file), 0)
        return
    with pytest.raises(ScenarioError) as caught:
        build(load_file(file), 0)
    error = caught.value
    assert says in str(error)
    assert error.file == file
    assert error.line == line
    assert key is None or (error.key or "").endswith(key)
    assert "\n" not in str(error)


def test_the_small_scenario_is_sound(small: str, write: Write) -> None:
    scenario = load_file(write(small))
    assert scenario.id == "small"
    assert scenario.slots["due"].chosen[0] == "time"


def test_all_mistakes_of_a_file_are_told(small: str, write: Write) -> None:
    text = small.replace("email.receive", "email.recieve").replace("opens: news", "opens: n")
    with pytest.raises(BrokenFile) as caught:
        load_file(write(text))
    assert [error.key for error in caught.value.errors] == [
        "events.0.do",
        "user.needs.0",
        "window.opens",
    ]


def test_a_label_needs_something_that_creates_a_record(small: str, write: Write) -> None:
    event = "    do: email.receive"
    cleared = small.replace(
        event,
        "    do: device.change\n    label: x\n    with: {battery: 3}\n  - key: y\n    at: 5\n"
        + event,
    )
    with pytest.raises(ScenarioError, match=r"events\.0\.label: change creates no record"):
        load_file(write(cleared))


def test_a_label_of_a_step_is_known_to_later_steps_only(small: str, write: Write) -> None:
    made = 'tool: reminder.add_reminder, arguments: {title: x, due_datetime: "{new}"}, label: made'
    first = f"  - {{{made}}}\n"
    use = '  - {tool: reminder.delete_reminder, arguments: {reminder_id: "@made"}}\n'
    load_file(write(small.replace("report:", first + use + "report:")))
    with pytest.raises(ScenarioError, match="unknown label 'made'"):
        load_file(write(small.replace("report:", use + first + "report:")))


def test_a_quiet_scenario_has_no_solution(small: str, write: Write) -> None:
    quiet = small.replace("type: goal", "type: quiet").replace(
        "kind: tasks_reminders", "kind: settled"
    )
    with pytest.raises(ScenarioError, match="there is no reference"):
        load_file(write(quiet))


def test_a_broken_file_does_not_stop_the_others(small: str, write: Write, tmp_path: Path) -> None:
    write(small)
    other = tmp_path / "more"
    other.mkdir()
    (other / "fine.yaml").write_text(
        small.replace("id: small", "id: fine").replace("family: tests", "family: more")
    )
    (other / "torn.yaml").write_text(small[:300])
    (other / "empty.yaml").write_text("")
    suite = load_suite(root=tmp_path)
    assert [scenario.id for scenario in suite] == ["fine", "small"]
    assert {Path(error.file).name for error in suite.errors} == {"torn.yaml", "empty.yaml"}
    with pytest.raises(ScenarioError, match=r"empty\.yaml.*more problems: heron scenarios check"):
        suite.sound()


def test_folder_and_family_agree_and_an_id_stands_once(
    small: str, write: Write, tmp_path: Path
) -> None:
    file = write(small.replace("family: tests", "family: others"))
    errors = load_suite(root=tmp_path).errors
    assert [error.key for error in errors] == ["family"]
    assert load_suite(files=[file]).errors == ()
    twice = load_suite(files=[file, file]).errors
    assert [error.key for error in twice] == ["id"]


def test_by_id_no_other_file_is_read(small: str, write: Write, tmp_path: Path) -> None:
    write(small)
    (tmp_path / "tests" / "broken.yaml").write_text("a: [")
    suite = load_suite(ids=["small"], root=tmp_path)
    assert (len(suite), suite.errors) == (1, ())
    with pytest.raises(UnknownName, match="did you mean 'small'"):
        load_suite(ids=["smal"], root=tmp_path)


def test_a_reader_can_stand_before_the_files(small: str, write: Write, tmp_path: Path) -> None:
    scenario = load_file(write(small))
    asked: list[Path] = []

    def cached(file: Path) -> object:
        asked.append(file)
        return scenario

    suite = load_suite(root=tmp_path, reader=cached)  # type: ignore[arg-type]
    assert suite.scenarios == (scenario,)
    assert len(asked) == 1


def test_the_json_schema_that_is_checked_in_is_current() -> None:
    file = Path(__file__).parents[2] / "scenarios" / "schema.json"
    assert file.read_text(encoding="utf-8") == json_schema(), (
        "heron scenarios schema > scenarios/schema.json"
    )


# --- size ---------------------------------------------------------------------------------------


def test_a_loaded_scenario_keeps_neither_its_data_nor_anything_twice() -> None:
    files = sorted(DATA.glob("*/*.yaml"))[:8]
    load_suite(files=files)  # what all scenarios share is there
    gc.collect()
    tracemalloc.start()
    try:
        suite = load_suite(files=files).sound()
        gc.collect()
        each = tracemalloc.get_traced_memory()[0] / len(suite) / 1024
    finally:
        tracemalloc.stop()
    assert each < 50, f"{each:.0f} KiB; about 35 are usual"


def test_what_was_let_go_can_still_be_asked_for() -> None:
    file = min(DATA.glob("*/*.yaml"))
    document, kept = read(file), load_file(file).document
    assert kept.parsed is None
    assert (kept.data, kept.hash) == (document.data, document.hash)
    assert kept.line(("user", "goal")) == document.line(("user", "goal"))
