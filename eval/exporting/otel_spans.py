"""Episodes as OpenTelemetry spans, by the semantic conventions for generative AI (v1.41).

One trace per episode::

    invoke_workflow <scenario>
      invoke_agent observer
        chat <model>, or decide       one per answer; ``decide`` where no model was asked
        execute_tool <tool>           a look
      invoke_agent executor           one per execution under a grant
        execute_tool <tool>           one per call

Ids come from the episode's key, so that the same episode has the same ids. An episode stores
durations and no times of day: traces are laid end to end from the run's start, and within one what
was measured is laid end to end as well (see ``layout``). What it does not know: which attributes
there are (see ``otel_attributes``), how spans are written or sent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from heron import __version__
from heron.contracts import EpisodeRecord, ToolCall
from heron.errors import Unavailable
from heron.eval.attribution import attribute
from heron.eval.exporting.layout import Answered, Executed, layout_of
from heron.eval.exporting.otel_attributes import (
    Attributes,
    as_json,
    cost_attributes,
    episode_attributes,
    message_attributes,
    model_attributes,
    resource_of,
    usage_attributes,
)
from heron.eval.exporting.stored import Stored
from heron.eval.exporting.tokens import Tokens, by_role, of_usage, tokens_of
from heron.eval.exporting.wording import (
    answer_words,
    execution_words,
    result_words,
    turn_words,
    verdict_words,
)
from heron.eval.store import key_of

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Span, Tracer

SCOPE = "heron.eval.exporting"
SCHEMA = "https://opentelemetry.io/schemas/1.41.0"
NANO = 1_000_000_000


class Spans:
    """Makes the spans of one configuration's episodes.

    Args:
        own: what is stored of it.
        content: whether texts, arguments and results are told; the conventions leave it open.
    """

    def __init__(self, own: Stored, *, content: bool) -> None:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import SpanLimits, TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON

        self._own, self._content = own, content
        self._ids = _ids()
        self._kept = InMemorySpanExporter()
        limits = SpanLimits(max_attributes=SpanLimits.UNSET, max_events=SpanLimits.UNSET)
        provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource(resource_of(own)),
            id_generator=self._ids,
            span_limits=limits,
            shutdown_on_exit=False,
        )
        provider.add_span_processor(SimpleSpanProcessor(self._kept))
        self._tracer: Tracer = provider.get_tracer(SCOPE, __version__, SCHEMA)
        self._now: int | None = None

    def of(self, episode: EpisodeRecord) -> Sequence[ReadableSpan]:
        """The spans of the next episode, in the order in which they ended.

        Raises:
            Unavailable: OpenTelemetry is switched off.
        """
        if self._now is None:
            start = self._own.started or _phone_start(episode)
            self._now = int(start.timestamp()) * NANO
        begin = self._now
        seconds = _Episode(self._tracer, self._ids, self._own, episode, begin, self._content).make()
        self._now = begin + _nano(seconds)
        spans = self._kept.get_finished_spans()
        self._kept.clear()
        if not spans:
            raise Unavailable(
                "OpenTelemetry's SDK makes no spans: is OTEL_SDK_DISABLED set? Unset it"
            )
        return spans


class _Episode:
    """Makes the spans of one episode."""

    def __init__(
        self,
        tracer: Tracer,
        ids: Any,
        own: Stored,
        episode: EpisodeRecord,
        begin: int,
        content: bool,
    ) -> None:
        self._tracer, self._ids, self._own = tracer, ids, own
        self._episode, self._begin, self._content = episode, begin, content
        self._layout = layout_of(episode)
        self._calls = 0

    def make(self) -> float:
        """Make them all.

        Returns:
            the episode's seconds.
        """
        episode, seconds = self._episode, self._layout.seconds
        self._ids.begin("\x00".join(map(str, key_of(episode))))
        root = self._start(
            f"invoke_workflow {episode.scenario}", None, 0.0, episode_attributes(episode)
        )
        self._verdict(root)
        given = [moment for moment in self._layout.moments if isinstance(moment, Answered)]
        if given:
            observer = self._agent("observer", root, given[0].begin, None)
            for moment in given:
                self._answered(moment, observer)
            self._end(observer, given[-1].end, self._fault("observer"))
        for done in self._layout.moments:
            if isinstance(done, Executed):
                self._executed(done, root)
        fault = episode.fault
        self._end(root, seconds, f"{fault.part}: {fault.message}" if fault else None)
        return seconds

    # --- observer and executor ---

    def _agent(self, role: str, root: Span, begin: float, tokens: Tokens | None) -> Span:
        if role == "observer":
            tokens = dict(by_role(self._episode)).get("observer")
        return self._start(
            f"invoke_agent {role}",
            root,
            begin,
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": role,
                **self._model_of(role),
                **usage_attributes(tokens),
                "heron.spec": getattr(self._episode.config, role),
            },
        )

    def _answered(self, moment: Answered, observer: Span) -> None:
        answer, tokens = moment.given.answer, tokens_of(moment.cost)
        model = self._model_of("observer")
        operation = "chat" if tokens is not None and "gen_ai.request.model" in model else "decide"
        name = f"chat {model['gen_ai.request.model']}" if operation == "chat" else "decide"
        scores = answer.scores.model_dump() if answer.scores is not None else {}
        attributes = {
            "gen_ai.operation.name": operation,
            **model,
            **usage_attributes(tokens),
            "heron.turn": moment.turn.turn,
            "heron.phone_time": moment.turn.time.isoformat(),
            "heron.answer": answer.type,
            **{f"heron.score.{key}": value for key, value in scores.items()},
            **cost_attributes(moment.cost),
        }
        if self._content:
            said = turn_words(self._episode, moment.turn) if moment.given.step == 0 else None
            attributes |= message_attributes("input", "user", said)
            attributes |= message_attributes("output", "assistant", answer_words(answer))
        self._end(self._start(name, observer, moment.begin, attributes), moment.end)
        if answer.type == "look":
            failed = moment.looked.error if moment.looked is not None else None
            self._tool(answer.call, observer, moment.end, failed, None)

    def _executed(self, moment: Executed, root: Span) -> None:
        execution = moment.execution
        executor = self._agent("executor", root, moment.begin, of_usage(execution.usage))
        executor.set_attributes(
            {
                "heron.grant": execution.grant_id,
                "heron.end": execution.end,
                "heron.turn": moment.turn.turn,
                **({"heron.usd": u} if (u := execution.usage.cost_usd) is not None else {}),
                "heron.bytes_out": execution.usage.bytes_out,
            }
        )
        for result in execution.calls:
            error = None if result.ok else result.error or "refused"
            told = result_words(result) if result.ok else None
            self._tool(result.call, executor, moment.end, error, told)
        if self._content:
            executor.set_attributes(
                message_attributes("output", "assistant", execution_words(execution))
            )
        self._end(executor, moment.end)

    def _tool(
        self, call: ToolCall, agent: Span, at: float, error: str | None, told: str | None
    ) -> None:
        self._calls += 1
        attributes: Attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": call.name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": f"call-{self._calls}",
        }
        if self._content:
            attributes["gen_ai.tool.call.arguments"] = as_json(call.arguments)
            if told is not None:
                attributes["gen_ai.tool.call.result"] = told
        self._end(self._start(f"execute_tool {call.name}", agent, at, attributes), at, error)

    def _verdict(self, root: Span) -> None:
        episode, cause = self._episode, attribute(self._episode)
        passed = episode.verdict.passed and episode.fault is None
        attributes: Attributes = {
            "gen_ai.evaluation.name": "verdict",
            "gen_ai.evaluation.score.value": float(passed),
            "gen_ai.evaluation.score.label": episode.verdict.outcome,
        }
        if cause is not None:
            attributes |= {"heron.cause": cause.cause, "heron.what": cause.what}
        if self._content:
            attributes["gen_ai.evaluation.explanation"] = verdict_words(episode)
        root.add_event("gen_ai.evaluation.result", attributes, self._at(self._layout.seconds))

    # --- records ---

    def _start(self, name: str, parent: Span | None, at: float, attributes: Attributes) -> Span:
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, set_span_in_context

        # An empty context of its own: never a child of what the caller happens to trace.
        context = Context() if parent is None else set_span_in_context(parent, Context())
        remote = name.startswith("chat ") and self._remote()
        return self._tracer.start_span(
            name,
            context,
            SpanKind.CLIENT if remote else SpanKind.INTERNAL,
            {key: value for key, value in attributes.items() if value is not None},
            start_time=self._at(at),
        )

    def _end(self, span: Span, at: float, error: str | None = None) -> None:
        from opentelemetry.trace import Status, StatusCode

        if error is not None:
            # The conventions' name for an error of no class that is known.
            span.set_attribute("error.type", "_OTHER")
            span.set_status(Status(StatusCode.ERROR, error))
        span.end(self._at(at))

    def _fault(self, part: str) -> str | None:
        fault = self._episode.fault
        return fault.message if fault is not None and fault.part == part else None

    def _remote(self) -> bool:
        return any(step.usage is not None for step in self._episode.costs.steps)

    def _model_of(self, role: str) -> Attributes:
        return model_attributes(getattr(self._episode.config, role), self._own.model_name(role))

    def _at(self, seconds: float) -> int:
        return self._begin + _nano(seconds)


# --- ids and times ------------------------------------------------------------------------------


def _ids() -> Any:
    """Ids that depend on nothing but an episode's key and the number of the span in it."""
    from opentelemetry.sdk.trace.id_generator import IdGenerator

    class KeyedIds(IdGenerator):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            self._key, self._spans = "", 0

        def begin(self, key: str) -> None:
            """The next spans are those of the episode with this key."""
            self._key, self._spans = key, 0

        def generate_trace_id(self) -> int:
            return self._digest("", 16)

        def generate_span_id(self) -> int:
            self._spans += 1
            return self._digest(f"\x00{self._spans}", 8)

        def _digest(self, more: str, size: int) -> int:
            found = hashlib.sha256(f"{self._key}{more}".encode()).digest()[:size]
            return int.from_bytes(found, "big") or 1

    return KeyedIds()


def _phone_start(episode: EpisodeRecord) -> datetime:
    """Where a run does not say when it started: the phone's own clock, taken for UTC."""
    first = episode.turns[0].time if episode.turns else datetime(1970, 1, 1)
    return first.replace(tzinfo=UTC)


def _nano(seconds: float) -> int:
    return round(seconds * NANO)
