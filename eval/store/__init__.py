"""Episodes on disk: one JSON line each, on disk before the next episode begins.

``writing`` appends under a lock, ``reading`` reads one file or many while they are written,
``keys`` says which rows are the same episode, ``rows`` finds them, ``files`` knows the bytes.
What it does not know: scores.
"""

from heron.eval.store.files import EPISODES, REPORT, SUMMARY, episode_files
from heron.eval.store.keys import EpisodeKey, config_hash, key_of
from heron.eval.store.reading import read_episodes
from heron.eval.store.writing import EpisodeStore

__all__ = [
    "EPISODES",
    "REPORT",
    "SUMMARY",
    "EpisodeKey",
    "EpisodeStore",
    "config_hash",
    "episode_files",
    "key_of",
    "read_episodes",
]
