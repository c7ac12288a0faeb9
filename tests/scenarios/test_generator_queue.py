"""The review queue: what is put in, found again, edited, accepted, refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from heron.errors import InputError, ScenarioError, UnknownName
from heron.scenarios.generator.examples import example_data
from heron.scenarios.generator.judging import Known
from heron.scenarios.generator.pipeline import Draft
from heron.scenarios.generator.queue import Entry, Queue
from heron.scenarios.loader import load_file, load_suite
from heron.scenarios.writing import write


def draft(name: str = "kiln_cools_longer", **changes: object) -> Draft:
    """A finished one."""
    text = write({**example_data("goal"), "id": name, "family": "generated"})
    made = {"state": "ready", "id": name, "text": text, "repairs": {"phone": 1}, **changes}
    return Draft(**made)  # type: ignore[arg-type]


@pytest.fixture
def queue(tmp_path: Path) -> Queue:
    """An empty queue."""
    return Queue(tmp_path / "queue")


@pytest.fixture
def ready(queue: Queue) -> Entry:
    """A ready scenario in the queue."""
    return queue.put("0-001", draft())


def test_what_is_put_in_is_found_again(queue: Queue, ready: Entry) -> None:
    queue.put("0-010", draft("second"))
    queue.put("0-002", draft("third", state="failed", reasons=("phone: no",), stage="phone"))
    queue.put("0-003", Draft(state="failed", id=None, text=None, stage="idea", repairs={}))
    assert [entry.key for entry in queue.entries()] == ["0-001", "0-002", "0-003", "0-010"]
    assert [entry.key for entry in queue.entries("failed")] == ["0-002", "0-003"]
    assert queue.entry("kiln_cools_longer") == queue.entry("0-001") == ready
    assert load_file(queue.file_of(ready)).id == "kiln_cools_longer"
    assert queue.file_of(queue.entry("third")) == queue.folder / "failed" / "0-002.yaml"
    with pytest.raises(UnknownName, match="did you mean 'second'"):
        queue.entry("secnd")
    with pytest.raises(InputError, match="has no file: its making failed at its idea"):
        queue.file_of(queue.entry("0-003"))


def test_the_generator_learns_what_is_there(queue: Queue, ready: Entry) -> None:
    queue.put("0-002", draft("third", state="failed", reasons=("no",)))
    known = Known()
    queue.learn(known)
    assert known.ids == {"kiln_cools_longer", "third"}
    assert list(known.runs) == ["kiln_cools_longer"]


def test_accepting_moves_the_file_and_sets_family_and_splits(
    queue: Queue, ready: Entry, tmp_path: Path
) -> None:
    file = queue.file_of(ready)
    file.write_text(file.read_text() + "# a remark\n")
    place = queue.accept(ready, tmp_path / "own", family="pottery", splits=["full", "smoke"])
    assert place == tmp_path / "own" / "pottery" / "kiln_cools_longer.yaml"
    scenario = load_suite(root=tmp_path / "own").sound().scenarios[0]
    assert (scenario.family, scenario.splits) == ("pottery", ["full", "smoke"])
    assert place.read_text().endswith("# a remark\n")
    assert not file.exists()
    assert queue.entry("0-001").state == "accepted"
    with pytest.raises(InputError, match="is accepted; only ready"):
        queue.accept(queue.entry("0-001"), tmp_path / "own", family="pottery")


def test_a_scenario_that_is_no_longer_sound_is_not_accepted(
    queue: Queue, ready: Entry, tmp_path: Path
) -> None:
    file = queue.file_of(ready)
    file.write_text(file.read_text().replace("@outing", "@outign"))
    with pytest.raises(ScenarioError, match="unknown label 'outign'"):
        queue.accept(ready, tmp_path / "own", family="pottery")
    assert file.exists()
    assert not (tmp_path / "own").exists()


def test_accepting_overwrites_nothing(queue: Queue, ready: Entry, tmp_path: Path) -> None:
    place = tmp_path / "own" / "pottery" / "kiln_cools_longer.yaml"
    place.parent.mkdir(parents=True)
    place.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        queue.accept(ready, tmp_path / "own", family="pottery")
    assert place.read_text() == "mine"
    assert queue.entry("0-001").state == "ready"


def test_refusing_keeps_file_and_reason(queue: Queue, ready: Entry) -> None:
    refused = queue.refuse(ready, " dull ")
    assert refused.state == "refused"
    assert refused.reasons == ("dull",)
    assert queue.file_of(refused) == queue.folder / "refused" / "kiln_cools_longer.yaml"
    assert queue.file_of(refused).exists()
    with pytest.raises(InputError, match="refused already"):
        queue.refuse(refused, "again")


def test_refusing_needs_a_reason(queue: Queue, ready: Entry) -> None:
    with pytest.raises(InputError, match="--reason"):
        queue.refuse(ready, "  ")


def test_a_failed_one_that_is_mended_becomes_ready(queue: Queue) -> None:
    entry = queue.put("0-002", draft("third", state="failed", reasons=("phone: no",)))
    file = queue.file_of(entry)
    sound = file.read_text()
    file.write_text(sound.replace("@outing", "@outign"))
    entry, problems = queue.recheck(entry)
    assert (entry.state, len(problems)) == ("failed", 1)
    file.write_text(sound.replace("id: third", "id: fourth"))
    entry, problems = queue.recheck(entry)
    assert (entry.state, entry.id, entry.file, problems) == ("ready", "fourth", "fourth.yaml", [])
    assert queue.entry("fourth") == entry
    assert load_file(queue.file_of(entry)).id == "fourth"


def test_an_edit_does_not_take_the_name_of_another(queue: Queue, ready: Entry) -> None:
    other = queue.put("0-002", draft("third"))
    file = queue.file_of(other)
    file.write_text(file.read_text().replace("id: third", "id: kiln_cools_longer"))
    with pytest.raises(InputError, match="is there already"):
        queue.recheck(other)


def test_a_broken_entry_says_where(queue: Queue, ready: Entry) -> None:
    (queue.folder / "entries" / "0-001.json").write_text("{")
    with pytest.raises(InputError, match=r"0-001\.json: no entry of a review queue"):
        queue.entries()
