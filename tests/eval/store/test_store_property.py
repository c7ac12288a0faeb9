"""Whatever happens to a store, no whole row is lost and none is there twice."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from heron.contracts import EpisodeRecord
from heron.eval.store import EpisodeStore, episode_files, key_of, read_episodes

SHARDS = (None, "1/2", "2/2")
APPEND = st.tuples(
    st.just("append"), st.sampled_from(SHARDS), st.sampled_from("abc"), st.integers(0, 2)
)
TEAR = st.tuples(st.just("tear"), st.sampled_from(SHARDS), st.integers(1, 300), st.just(0))
ASIDE = st.tuples(st.just("aside"), st.sampled_from(SHARDS), st.sampled_from("abc"), st.just(0))
STEPS = st.lists(APPEND | APPEND | TEAR | ASIDE, min_size=1, max_size=12)


@settings(max_examples=60)
@given(steps=STEPS, shuffled=st.randoms(use_true_random=False))
def test_interleavings(
    episode: Callable[..., EpisodeRecord],
    steps: list[tuple[str, str | None, object, int]],
    shuffled: object,
) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        expected: dict[object, EpisodeRecord] = {}
        for kind, shard, what, seed in steps:
            with EpisodeStore(folder, shard=shard, resume=True) as store:
                assert store.done == set(expected)
                if kind == "append":
                    one = episode(str(what), seed)
                    assert store.append(one) == (key_of(one) not in expected)
                    expected[key_of(one)] = one
                elif kind == "aside":
                    own = {row.key for row in store.rows() if row.file == store.path}
                    stale = {key for key in own if key.scenario == what}
                    assert store.set_aside(stale) == len(stale)
                    expected = {key: one for key, one in expected.items() if key not in stale}
            if kind == "tear":
                # As if a process was killed while it wrote the next row.
                assert isinstance(what, int)
                text = episode("torn", 9).model_dump_json().encode()
                with store.path.open("ab") as file:
                    file.write(text[: min(what, len(text))])
        files = episode_files(folder)
        shuffled.shuffle(files)  # type: ignore[attr-defined]
        told: list[str] = []
        found = list(read_episodes(*files, folder, tell=told.append))
        assert found == [expected[key] for key in sorted(expected)]  # type: ignore[type-var]
        assert all("is torn" in line for line in told)
