"""The observer on a played model: what the model is shown, and what becomes of its answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.observer.moments import Episode, PlayedModel, answered, did, looked, note, record
from tests.observer.streams import BRIEF

from heron.contracts import DeviceStatus, Look, ObserverState, Propose, Scores, Wait
from heron.errors import InputError, ModelFault
from heron.models.scripted import ScriptedDecisionModel, ScriptedTurn
from heron.observer.decide import Thresholds
from heron.observer.gguf import GgufObserver, make
from heron.observer.prompt import ordinary, prompt
from heron.observer.restraint import Unlimited
from heron.observer.settings import GgufSettings
from heron.observer.setup import Setup

WAIT = (0.9, 0.05, 0.05)
PROPOSE = (0.1, 0.1, 0.8)
LOOK = (0.1, 0.8, 0.1)
PLAIN = GgufSettings(look_first=False)


def observer(model: PlayedModel, **settings: Any) -> GgufObserver:
    return GgufObserver(model, PLAIN.model_copy(update=settings))


def test_a_wait_is_closed_with_its_word_and_keeps_the_scores() -> None:
    model = PlayedModel(WAIT)
    answer = observer(model).observe(Episode().next(did("home.go_home")))
    assert answer == Wait(scores=Scores(wait=0.9, look=0.05, propose=0.05))
    assert model.begun == [(prompt().system, prompt().examples)]
    assert model.turns == [
        ("Wed 2026-03-11 09:03 phone of Mara Lind\nuser home.go_home", "wait"),
    ]


def test_each_observation_is_appended_once() -> None:
    model, episode = PlayedModel(WAIT), Episode()
    watching = observer(model)
    for _ in range(4):
        watching.observe(episode.next(did("home.go_home")))
    assert len(model.begun) == 1
    assert [text for text, _ in model.turns][1:] == [
        f"09:0{minute} user home.go_home" for minute in (4, 5, 6)
    ]


def test_a_proposal_is_worded_under_the_schema_of_what_was_seen() -> None:
    model = PlayedModel(PROPOSE)
    answer = observer(model).observe(Episode().next(note("Thursday at ten?", ref="m4")))
    assert isinstance(answer, Propose)
    assert answer.text == "Shall I move the dentist to Thursday?"
    assert answer.refs == ("m4",)
    assert answer.plan == ("calendar.add_calendar_event",)
    assert answer.scores is not None
    assert model.turns[0][1] == (
        'propose {"refs":["m4"],"plan":["calendar.add_calendar_event"],'
        '"text":"Shall I move the dentist to Thursday?"}'
    )


def test_a_look_is_a_call_of_a_read_tool() -> None:
    model, episode = PlayedModel(LOOK), Episode()
    answer = observer(model).observe(episode.next(note("Thursday?"), looks_left=2))
    assert isinstance(answer, Look)
    assert answer.call.name == "calendar.search_events"
    assert set(answer.call.arguments) == {"query"}
    assert (model.turns[0][1] or "").startswith('look {"tool":"calendar.search_events","args":{')


def test_without_looks_left_nothing_is_looked_up() -> None:
    model = PlayedModel(LOOK)
    assert observer(model).observe(Episode().next(note("Thursday?"))).type == "wait"
    assert model.turns[0][1] == "wait"


def test_the_same_look_is_not_taken_twice() -> None:
    model, episode = PlayedModel(LOOK), Episode()
    watching = observer(model)
    assert watching.observe(episode.next(note("Thursday?"), looks_left=5)).type == "look"
    assert watching.observe(episode.next(looked(), looks_left=4)).type == "wait"
    assert watching.observe(episode.next(note("Friday?", ref="m9"), looks_left=4)).type == "look"


def test_before_a_proposal_it_looks_once() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model, look_first=True)
    first = watching.observe(episode.next(note("Thursday?"), looks_left=5))
    found = looked(record("e3", "Dentist", "event"))
    second = watching.observe(episode.next(found, looks_left=4))
    assert (first.type, second.type) == ("look", "propose")
    refs = model.generated[-1].schema["properties"]["refs"]["items"]["enum"]  # type: ignore[index,call-overload]
    assert refs == ["m4", "e3"]


def test_with_no_tool_to_look_with_it_proposes_at_once() -> None:
    episode = Episode(BRIEF.model_copy(update={"tools": ()}))
    answer = observer(PlayedModel(PROPOSE), look_first=True).observe(
        episode.next(note("Thursday?"), looks_left=5)
    )
    assert answer.type == "propose"
    episode = Episode(BRIEF.model_copy(update={"tools": ()}))
    answer = observer(PlayedModel(LOOK)).observe(episode.next(note("Thursday?"), looks_left=5))
    assert answer.type == "wait"


@pytest.mark.parametrize(
    "device",
    [DeviceStatus(activity="driving"), DeviceStatus(do_not_disturb=True)],
)
def test_a_busy_user_is_not_spoken_to(device: DeviceStatus) -> None:
    model = PlayedModel(PROPOSE)
    seen = Episode().next(note("Thursday?"), device=device, looks_left=3)
    assert observer(model).observe(seen).type == "wait"
    assert model.generated == []


def test_one_proposal_is_open_at_a_time() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model)
    assert watching.observe(episode.next(note("Thursday?"))).type == "propose"
    again = watching.observe(episode.next(note("Hello?", ref="m5"), open_proposal="p1"))
    assert again.type == "wait"


def test_what_was_turned_down_is_not_offered_again() -> None:
    model, episode = PlayedModel(PROPOSE), Episode()
    watching = observer(model)
    answers = [
        watching.observe(episode.next(note("Thursday?"))),
        watching.observe(episode.next(answered("reject"))),
        watching.observe(episode.next(did("home.go_home"))),
        watching.observe(episode.next(note("Friday, sorry", ref="m4"))),
    ]
    assert [answer.type for answer in answers] == ["propose", "wait", "wait", "propose"]


def test_right_after_an_answer_it_does_not_come_with_something_else() -> None:
    words = iter(["Shall I move the dentist?", "Can I order new shoes?", "Shall I call Tom?"])

    def other(schema: Any) -> dict[str, Any]:
        return {"refs": [], "plan": [], "text": next(words)}

    watching, episode = observer(PlayedModel(PROPOSE, write=other)), Episode()
    answers = [
        watching.observe(episode.next(note("Thursday?"))),
        watching.observe(episode.next(answered("reject"))),
        watching.observe(episode.next()),
        watching.observe(episode.next(did("home.go_home"))),
    ]
    assert [answer.type for answer in answers] == ["propose", "wait", "wait", "propose"]


def test_a_brief_begins_a_new_episode() -> None:
    model = PlayedModel(PROPOSE)
    watching = observer(model)
    for _ in range(2):
        answer = watching.observe(Episode().next(note("Thursday?")))
        assert answer.type == "propose"
    assert len(model.begun) == 2
    assert model.extended[0] == model.extended[1]


def test_without_a_brief_there_is_one_clear_line() -> None:
    seen = Episode().next(note("x")).model_copy(update={"brief": None})
    with pytest.raises(InputError, match="no brief"):
        observer(PlayedModel()).observe(seen)


def test_scores_are_compared_with_ordinary_minutes_of_the_same_length() -> None:
    """Shares that equal the baseline's are a third each, and the baseline is measured once."""
    ordinary_minutes = [(0.4, 0.3, 0.3)] * len(ordinary())
    model = PlayedModel(*ordinary_minutes, (0.4, 0.3, 0.3), (0.2, 0.2, 0.6))
    watching = observer(model, contrast=True, thresholds=Thresholds(propose=0.34, look=0.9))
    assert watching.observe(Episode().next(note("Thursday?"))).type == "wait"
    assert len(model.begun) == 2
    assert watching.observe(Episode().next(note("Thursday?"))).type == "propose"
    assert len(model.begun) == 3


def test_the_baseline_moves_on_with_each_wait() -> None:
    """Scores that fall as the baseline falls mean the same throughout."""
    fall = [(0.5 + 0.05 * n, 0.25, 0.25 - 0.05 * n) for n in range(len(ordinary()) - 2)]
    script = [*fall, fall[-1], fall[-1]]
    watching = observer(
        PlayedModel(*script, *fall),
        contrast=True,
        thresholds=Thresholds(look=0.9, propose=0.4),
    )
    episode = Episode()
    for _ in fall:
        assert watching.observe(episode.next(note("hello"))).type == "wait"


def test_a_failing_model_propagates() -> None:
    model = ScriptedDecisionModel([ScriptedTurn(logprobs=ModelFault("the logits are no numbers"))])
    with pytest.raises(ModelFault, match="no numbers"):
        GgufObserver(model, PLAIN).observe(Episode().next(note("x")))


def test_broken_json_is_a_fault_and_an_empty_sentence_a_wait() -> None:
    def empty(schema: Any) -> dict[str, Any]:
        return {"refs": [], "plan": [], "text": "\u200b "}

    silent = observer(PlayedModel(PROPOSE, write=empty))
    assert silent.observe(Episode().next(note("x"))).type == "wait"

    class Broken(PlayedModel):
        def generate(self, schema: Any, *, opening: str = "", max_tokens: int = 160) -> str:
            return '{"text": "Sha'

    with pytest.raises(ModelFault, match="no JSON"):
        observer(Broken(PROPOSE)).observe(Episode().next(note("x")))


def test_with_nothing_shown_there_is_nothing_to_speak_about() -> None:
    model = PlayedModel(PROPOSE)
    seen = Episode().next(did("home.go_home"), looks_left=5)
    assert observer(model, look_first=True).observe(seen).type == "wait"


def test_repeated_references_are_kept_once_and_the_text_is_one_line() -> None:
    def twice(schema: Any) -> dict[str, Any]:
        return {"refs": ["m4", "m4"], "plan": [], "text": "Shall I\nmove <it>?"}

    answer = observer(PlayedModel(PROPOSE, write=twice)).observe(Episode().next(note("x")))
    assert isinstance(answer, Propose)
    assert answer.refs == ("m4",)
    assert answer.text == "Shall I move (it)?"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["note", "act", "idle", "busy", "look", "reject"]),
            st.sampled_from([WAIT, LOOK, PROPOSE]),
            st.integers(0, 2),
            st.booleans(),
        ),
        max_size=15,
    )
)
def test_whatever_happens_the_answers_keep_the_rules(
    story: list[tuple[str, tuple[float, float, float], int, bool]],
) -> None:
    model, episode = PlayedModel(*(shares for _, shares, _, _ in story)), Episode()
    watching = observer(model, look_first=True)
    shown: set[str] = set()
    for number, (kind, _, looks_left, is_open) in enumerate(story):
        new = {
            "note": (note("hello", ref=f"m{number}"),),
            "act": (did("calendar.open_event", event_id="e7"),),
            "look": (looked(record(f"e{number}", "x", "event")),),
            "reject": (answered("reject"),),
        }.get(kind, ())
        shown |= {f"m{number}"} if kind == "note" else {f"e{number}"} if kind == "look" else set()
        busy = DeviceStatus(activity="presenting") if kind == "busy" else DeviceStatus()
        seen = episode.next(
            *new,
            device=busy,
            looks_left=looks_left,
            open_proposal="p0" if is_open else None,
        )
        answer = watching.observe(seen)
        assert len(model.answers) == number + 1
        if answer.type != "wait":
            assert not is_open
            assert kind != "busy"
        if isinstance(answer, Look):
            assert looks_left > 0
            assert answer.call.name in {tool.name for tool in BRIEF.tools}
        elif isinstance(answer, Propose):
            assert set(answer.refs) <= shown
            assert set(answer.plan) <= set(BRIEF.write_tools)


def test_a_spent_budget_keeps_it_silent() -> None:
    class Spent:
        def allows(self, time: Any) -> bool:
            return False

        def spend(self, time: Any) -> None:
            raise AssertionError("nothing was allowed")

    watching = GgufObserver(PlayedModel(PROPOSE), PLAIN, Spent())
    assert watching.observe(Episode().next(note("x"))).type == "wait"


def test_the_factory_needs_a_model() -> None:
    with pytest.raises(InputError, match="needs a model"):
        make(Setup(argument="smollm2"))
    assert isinstance(make(Setup(argument="unknown", model=PlayedModel())), GgufObserver)


def test_what_came_in_and_what_was_answered_is_kept_longer() -> None:
    model, episode = PlayedModel(WAIT), Episode()
    watching = observer(model)
    watching.observe(episode.next(did("home.go_home")))
    watching.observe(episode.next(note("Thursday at ten?", ref="m4")))
    watching.observe(episode.next(looked(record("v1"))))
    watching.observe(episode.next(answered("reject"), did("home.go_home")))
    assert model.kept == [model.extended[1], model.extended[3]]


def test_it_goes_on_in_another_process_as_if_nothing_had_happened() -> None:
    first, second = PlayedModel(WAIT, PROPOSE), PlayedModel(PROPOSE)
    episode, watching = Episode(), observer(first)
    watching.observe(episode.next(did("home.go_home")))
    offered = watching.observe(episode.next(note("Thursday?", ref="m4")))
    assert offered.type == "propose"
    state = ObserverState.model_validate_json(watching.save().model_dump_json())
    successor = observer(second)
    successor.load(state, BRIEF)
    assert (second.turns, second.kept) == (first.turns, first.kept)
    assert successor.save() == state
    seen = episode.next(answered("reject"), did("home.go_home"))
    assert successor.observe(seen).type == "wait"
    assert second.extended[-1] == "09:05 answer reject\nuser home.go_home"


def test_the_budget_outlives_the_process() -> None:
    class Counting(Unlimited):
        def __init__(self) -> None:
            self.spent: list[Any] = []

        def spend(self, time: Any) -> None:
            self.spent.append(time)

    watching = observer(PlayedModel(PROPOSE))
    seen = Episode().next(note("Thursday?"))
    assert watching.observe(seen).type == "propose"
    budget = Counting()
    successor = GgufObserver(PlayedModel(WAIT), PLAIN, budget)
    successor.load(watching.save(), BRIEF)
    assert budget.spent == [seen.time]


def test_its_state_stays_small_and_another_kind_is_refused() -> None:
    watching, episode = observer(PlayedModel(*[WAIT] * 200)), Episode()
    for number in range(200):
        watching.observe(episode.next(note("long " * 100, ref=f"m{number}")))
    state = watching.save()
    assert 5 < len(state.turns) < 24
    assert state.turns[-1].text.startswith("12:22 ")
    assert len(state.model_dump_json()) < 60_000
    with pytest.raises(InputError, match="another kind"):
        watching.load(ObserverState(own={"kind": "other"}), BRIEF)
