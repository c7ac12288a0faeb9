"""An observer that asks a model behind an OpenAI-compatible address: Ollama, llama-server, vLLM.

    heron bench --observer endpoint:qwen2.5:0.5b@http://127.0.0.1:11434/v1

A gate spares requests: what calls for nothing is told with the next thing that does. Unless the
address is this machine's own, every request is egress, counted and marked as such. What it does not
know: how sure the model is.
"""

from __future__ import annotations

import ipaddress
import json
import os
from collections import deque
from typing import Any
from urllib.parse import urlsplit

import httpx

from heron.contracts import PROPOSAL_LENGTH, Observation, Propose, Usage, Wait
from heron.errors import InputError, RemoteFault
from heron.observer.conduct import Conduct
from heron.observer.encode import Limits
from heron.observer.gate import RuleGate, SinceWake
from heron.observer.seen import SeenRecords
from heron.observer.setup import Setup
from heron.observer.text import flat
from heron.observer.unread import Unread

TURNS = 8
"""Earlier messages that are told again each time, since the address keeps nothing."""
TIMEOUT_S = 60.0
SYSTEM = (
    "You watch what happens on somebody's phone. Lines with 'user' say what the user did, the "
    "others what came in, with the id of the record. Answer propose only if there is one concrete "
    "thing that you could do for the user now and that they would want; else answer wait."
)


class EndpointObserver:
    """Watches through a chat model.

    Args:
        model: the name that the address knows it by.
        url: base address, ending in ``/v1``.
        key: API key, if the address wants one.
        client: for another way to the address.
    """

    def __init__(
        self, model: str, url: str, key: str = "", client: httpx.Client | None = None
    ) -> None:
        self._model, self._url = model, url.rstrip("/")
        self._remote = not is_loopback(url)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        # A proxy of the environment would take loopback's bytes off the device.
        self._client = client or httpx.Client(
            timeout=TIMEOUT_S, headers=headers, trust_env=self._remote
        )
        self._gate = RuleGate()
        self.woken: bool | None = None
        self._used = Usage(remote=self._remote)
        self._begin()

    def _begin(self) -> None:
        self._conduct, self._seen = Conduct(), SeenRecords()
        self._unread, self._since = Unread(Limits()), SinceWake()
        self._said: deque[str] = deque(maxlen=TURNS)

    def observe(self, observation: Observation) -> Wait | Propose:
        """Ask the model, where the gate finds that worth it.

        Raises:
            RemoteFault: the address could not be reached, or gave no answer of the form.
        """
        if observation.brief is not None:
            self._begin()
        self._unread.add(observation)
        self._since.note(observation, self._seen)
        self._seen.note(observation)
        self._conduct.note(observation)
        may_propose = self._seen.has_any and self._conduct.allows(observation)
        self.woken = self._unread.is_full or (may_propose and self._gate.wakes(self._since))
        if not self.woken:
            return Wait()
        self._since = SinceWake()
        text, _ = self._unread.take()
        self._said.append(text)
        if not may_propose:
            return Wait()
        return self._offer(self._ask(), observation)

    def _offer(self, answer: dict[str, Any], observation: Observation) -> Wait | Propose:
        refs = tuple(ref for ref in answer.get("refs", ()) if ref in self._seen.refs())
        text = flat(str(answer.get("text", "")))[:PROPOSAL_LENGTH]
        proposes = answer.get("answer") == "propose"
        if not proposes or not text or self._conduct.repeats(text, refs):
            return Wait()
        offer = Propose(text=text, refs=refs)
        self._conduct.propose(offer, observation.time)
        return offer

    def _ask(self) -> dict[str, Any]:
        body = json.dumps(
            {
                "model": self._model,
                "messages": [
                    {"role": "system", "content": SYSTEM},
                    {"role": "user", "content": "\n".join(self._said)},
                ],
                "temperature": 0,
                "max_tokens": 160,
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "answer", "schema": _schema(self._seen.refs())},
                },
            }
        ).encode()
        # Counted before it is sent: what breaks on the way has left all the same.
        self._count(calls=1, bytes_out=len(body))
        try:
            reply = self._client.post(
                f"{self._url}/chat/completions",
                content=body,
                headers={"Content-Type": "application/json"},
            )
            reply.raise_for_status()
            given = reply.json()
            answer = json.loads(given["choices"][0]["message"]["content"])
        except httpx.HTTPError as error:
            raise RemoteFault(f"{self._url}: {error}".splitlines()[0]) from error
        except (ValueError, LookupError, TypeError) as error:
            raise RemoteFault(f"{self._url}: no answer of the form asked for") from error
        used = given.get("usage") or {}
        self._count(
            bytes_in=len(reply.content),
            tokens_in=used.get("prompt_tokens", 0),
            tokens_out=used.get("completion_tokens", 0),
        )
        return answer if isinstance(answer, dict) else {}

    def _count(self, **more: int) -> None:
        sums = {name: getattr(self._used, name) + value for name, value in more.items()}
        self._used = self._used.model_copy(update=sums)

    def take_usage(self) -> Usage:
        """What was used since the last call."""
        used, self._used = self._used, Usage(remote=self._remote)
        return used


def is_loopback(url: str) -> bool:
    """Whether an address is this machine's own; a name other than ``localhost`` counts as none."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _schema(refs: tuple[str, ...]) -> dict[str, Any]:
    items = {"enum": list(refs)} if refs else {"type": "string"}
    return {
        "type": "object",
        "properties": {
            "answer": {"enum": ["wait", "propose"]},
            "refs": {"type": "array", "items": items, "maxItems": 4 if refs else 0},
            "text": {"type": "string", "maxLength": PROPOSAL_LENGTH},
        },
        "required": ["answer", "refs", "text"],
        "additionalProperties": False,
    }


def make(setup: Setup) -> EndpointObserver:
    """The observer ``endpoint:MODEL@URL``; a key comes from ``OPENAI_API_KEY``.

    Raises:
        InputError: the argument is not of that form.
    """
    model, _, url = setup.argument.rpartition("@")
    if not model or urlsplit(url).scheme not in ("http", "https"):
        raise InputError("observer 'endpoint': write endpoint:MODEL@http://127.0.0.1:11434/v1")
    return EndpointObserver(model, url, os.environ.get("OPENAI_API_KEY", ""))
