"""A prefix from disk is the evaluated one to the bit; what is damaged or foreign is never used."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from heron.errors import InputError
from heron.models import prefix_key as key_module
from heron.models.decision import LlamaDecisionModel, load_decision_model
from heron.models.llama_context import FlashAttention
from heron.models.prefixes import PrefixStore, default_store
from heron.models.store import resolve
from heron.models.tiny_gguf import write_tiny_gguf

SYSTEM = "You watch a phone and say wait, look or propose."
EXAMPLES = [("Mail of Anna: dinner on Friday?", 'propose {"text":"Add dinner"}'), ("Idle.", "wait")]


@pytest.fixture(scope="module")
def tiny_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this module's own, since it gets a seal here."""
    return write_tiny_gguf(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture
def kept(tmp_path: Path) -> PrefixStore:
    return PrefixStore(tmp_path / "prefixes")


def start(
    path: Path,
    store: PrefixStore | None,
    *,
    window: int = 1024,
    flash_attention: FlashAttention = "off",
    examples: Sequence[tuple[str, str]] = EXAMPLES,
) -> LlamaDecisionModel:
    """A model as a new process would begin with it."""
    model = load_decision_model(
        str(path), window=window, flash_attention=flash_attention, prefixes=store
    )
    model.begin(SYSTEM, examples)
    return model


def logits_of_turns(model: LlamaDecisionModel) -> list[bytes]:
    """All logits of a few turns, as bytes."""
    rows = []
    for turn in range(3):
        model.extend(f"{9 + turn}:00 mail email-{turn} of Bob: can we move the dentist?")
        rows.append(model._context.logits().tobytes())
        model.choose("wait")
    return rows


def check_bits(path: Path, store: PrefixStore, flash_attention: FlashAttention) -> None:
    found = []
    for place in (None, store, store):
        model = start(path, place, flash_attention=flash_attention)
        found.append((model.loaded, logits_of_turns(model)))
        model.close()
    assert [loaded for loaded, _ in found] == [0, 0, 1]
    assert found[0][1] == found[1][1] == found[2][1]


@pytest.mark.parametrize("flash_attention", ["off", "on"])
def test_a_loaded_prefix_gives_the_same_bits(
    tiny_path: Path, kept: PrefixStore, flash_attention: FlashAttention
) -> None:
    check_bits(tiny_path, kept, flash_attention)


@pytest.mark.weights
@pytest.mark.parametrize("flash_attention", ["off", "on"])
@pytest.mark.parametrize("name", ["smollm2-135m", "gemma-3-270m"])
def test_a_loaded_prefix_gives_the_same_bits_on_real_weights(
    kept: PrefixStore, name: str, flash_attention: FlashAttention
) -> None:
    """The second has layers with a sliding window."""
    try:
        path = resolve(name)
    except InputError as error:
        pytest.skip(str(error))
    check_bits(path, kept, flash_attention)


@pytest.mark.weights
def test_loading_costs_a_tenth_of_evaluating_at_most(small_path: Path, kept: PrefixStore) -> None:
    spent = []
    for _ in range(2):
        model = start(small_path, kept, examples=EXAMPLES * 10)
        spent.append(model.take_cost().cpu_s or 0.0)
        model.close()
    assert spent[1] <= 0.1 * spent[0]


def test_a_loaded_prefix_counts_as_reused(tiny_path: Path, kept: PrefixStore) -> None:
    model = start(tiny_path, kept)
    whole = model.take_cost().evaluated
    model.close()
    model = start(tiny_path, kept)
    cost = model.take_cost()
    assert (cost.evaluated, cost.reused) == (0, whole)
    model.begin(SYSTEM, EXAMPLES[:1])  # another prompt of the same process
    assert model.loaded == 1
    assert (model.take_cost().evaluated or 0) > 50
    model.begin(SYSTEM, EXAMPLES)
    assert model.loaded == 2
    model.close()


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def other_hash(path: Path) -> None:
    sidecar = path.with_suffix(".json")
    row = json.loads(sidecar.read_text())
    row["sha256"] = "0" * 64
    sidecar.write_text(json.dumps(row))


def other_key(path: Path) -> None:
    """A sound file of another prompt under this prompt's name."""
    sidecar = path.with_suffix(".json")
    row = json.loads(sidecar.read_text())
    row["key"]["prompt"] = "0" * 64
    sidecar.write_text(json.dumps(row))


def garbage(path: Path) -> None:
    path.with_suffix(".json").write_text("{")


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("damage", [flip, cut, other_hash, other_key, garbage, gone])
def test_what_is_damaged_or_foreign_is_evaluated_and_written_anew(
    tiny_path: Path, kept: PrefixStore, damage: Callable[[Path], None]
) -> None:
    model = start(tiny_path, kept)
    wanted = logits_of_turns(model)
    model.close()
    (state,) = kept.folder.glob("*.state")
    sound = state.read_bytes()
    damage(state)
    model = start(tiny_path, kept)
    assert model.loaded == 0
    assert logits_of_turns(model) == wanted
    model.close()
    assert state.read_bytes() == sound
    model = start(tiny_path, kept)
    assert model.loaded == 1
    model.close()


def test_what_the_values_depend_on_is_in_the_key(
    tiny_path: Path, tmp_path: Path, kept: PrefixStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = write_tiny_gguf(tmp_path / "tiny.gguf", seed=1)
    started = [
        start(tiny_path, kept),
        start(other, kept),
        start(tiny_path, kept, window=1280),
        start(tiny_path, kept, flash_attention="on"),
        start(tiny_path, kept, examples=EXAMPLES[:1]),
    ]
    monkeypatch.setattr(key_module, "_build_digest", lambda: "another build")
    started.append(start(tiny_path, kept))
    assert [model.loaded for model in started] == [0] * 6
    assert len(kept.saved()) == 6
    assert len({row.key.name for row in kept.saved()}) == 6
    for model in started:
        model.close()


def test_a_model_file_that_changes_is_another_model(tmp_path: Path, kept: PrefixStore) -> None:
    path = write_tiny_gguf(tmp_path / "tiny.gguf")
    start(path, kept).close()
    write_tiny_gguf(path, seed=1)
    model = start(path, kept)
    assert model.loaded == 0
    model.close()


def test_a_prefix_that_gives_no_numbers_is_not_kept(tmp_path: Path, kept: PrefixStore) -> None:
    start(write_tiny_gguf(tmp_path / "nan.gguf", broken=True), kept).close()
    assert kept.saved() == []


def test_the_number_and_the_size_are_bounded(tiny_path: Path, kept: PrefixStore) -> None:
    kept.most = 3
    for count in range(5):
        start(tiny_path, kept, examples=EXAMPLES[:1] * (count + 1)).close()
    assert len(kept.saved()) == 3
    lengths = [row.key.length for row in kept.saved()]
    assert lengths == sorted(lengths, reverse=True)  # the ones used last
    kept.most_bytes = kept.saved()[0].bytes
    start(tiny_path, kept, examples=EXAMPLES * 4).close()
    assert len(kept.saved()) == 1


def test_what_a_killed_process_left_goes(tiny_path: Path, kept: PrefixStore) -> None:
    kept.folder.mkdir()
    old, new = kept.folder / ".a.1.tmp", kept.folder / ".b.2.tmp"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    start(tiny_path, kept).close()
    assert not old.exists()
    assert new.exists()  # it may still be written to


def test_clear_removes_everything(tiny_path: Path, kept: PrefixStore) -> None:
    assert kept.clear() == 0
    start(tiny_path, kept).close()
    assert kept.clear() == 1
    assert kept.saved() == []
    assert list(kept.folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_to_only_costs_time(
    tiny_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    model = start(tiny_path, PrefixStore(tmp_path / "file" / "prefixes"))
    assert model.loaded == 0
    assert len(logits_of_turns(model)) == 3
    model.close()


def test_the_default_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert default_store() is None  # the suite switches it off
    monkeypatch.setenv("HERON_PREFIXES", str(tmp_path / "here"))
    found = default_store()
    assert found is not None
    assert found.folder == tmp_path / "here"
    monkeypatch.delenv("HERON_PREFIXES")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = default_store()
    assert found is not None
    assert found.folder == tmp_path / "heron" / "prefixes"
