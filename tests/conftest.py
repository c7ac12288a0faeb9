"""Settings of the whole suite: one thread, no model requests, nothing that differs between runs.

Internet sockets are off (pytest-socket, see pyproject). A test that starts a process has to see to
that itself.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# Before any test imports a library that reads them.
os.environ.update(
    OMP_NUM_THREADS="1",
    TOKENIZERS_PARALLELISM="false",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    HF_HUB_OFFLINE="1",
    HERON_PREFIXES="off",
)

# A suite that was started in the background has it ignored, and so would have the processes that
# it starts and sends it to.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOMS = ("sim", "scenarios", "models", "observer", "executor", "eval")

# Examples are derived from the test itself, so that two runs try the same ones; no deadline, since
# the machine may be busy.
settings.register_profile(
    "heron", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("heron")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests on real weights come last: what fails fast fails first."""
    items.sort(key=lambda item: item.get_closest_marker("weights") is not None)


@pytest.fixture(scope="session", autouse=True)
def no_bare_rooms() -> Iterator[None]:
    """After the last test no room may have been imported by its bare name."""
    yield
    bare = [room for room in ROOMS if room in sys.modules]
    assert not bare, f"imported without heron. in front: {bare}"
