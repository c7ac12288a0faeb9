"""A user that is a model, with a scripted one: what it reads, repairs, gives up, forgets."""

from __future__ import annotations

import json
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

from heron.contracts import (
    Act,
    ActionOffer,
    Answered,
    DeviceStatus,
    Evidence,
    Idle,
    Item,
    Preview,
    Proposal,
    ScreenView,
    UserStep,
    UserView,
)
from heron.errors import InputError, ModelFault, RemoteFault, Unfinished
from heron.eval.users.briefing import briefing_of, split_persona
from heron.eval.users.intentions import Intention, Intentions
from heron.eval.users.model import LONGEST_HISTORY, MAX_TOKENS, ModelUser
from heron.eval.users.prompt import LONGEST_PAGE, Briefing, seen_text, system_text
from heron.models.scripted import ScriptedChatModel
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.sim.users.persona import persona_of

NOW = datetime(2026, 3, 10, 9, 30)
NOTHING: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
OPEN: dict[str, Any] = {
    "type": "object",
    "properties": {"email_id": {"type": "string", "x-ref": "email"}},
    "required": ["email_id"],
}
IDLE = '{"why":"resting","move":{"do":"idle"}}'
READ = '{"why":"to know","move":{"do":"open_email","with":{"email_id":"m1"}}}'
TOLD = Briefing(
    user_name="Ann Lee",
    persona="You are strict.",
    goal="Be in time.",
    habits=(
        Intention(text="read m1", ref="m1"),
        Intention(text="do nothing for 2 turns", turns=2),
        Intention(text="in email, compose()", action="email.compose"),
    ),
    apps=("email", "notes"),
)


def offer(name: str, parameters: dict[str, Any], effect: str = "read") -> ActionOffer:
    return ActionOffer.model_validate(
        {
            "app": "email",
            "name": name,
            "effect": effect,
            "description": name,
            "takes": 20,
            "parameters": parameters,
        }
    )


def view(turn: int = 1, **more: Any) -> UserView:
    items = more.pop(
        "items",
        (Item(ref="m1", kind="email", text="Bo: Lunch"), Item(ref=None, kind="text", text="1")),
    )
    return UserView(
        turn=turn,
        time=NOW,
        screen=ScreenView(app="email", screen="Mailbox", title="INBOX", items=items),
        previews=more.pop("previews", ()),
        actions=(offer("open_email", OPEN), offer("compose", NOTHING, "write")),
        **more,
    )


OFFER = Proposal(
    proposal_id="p1",
    turn=1,
    text="Shall I answer Bo?",
    plan=("email.reply",),
    evidence=(Evidence(ref="m1", kind="email", text="SECRET LINE"),),
)


def started(*script: Any, remote: bool = False) -> tuple[ModelUser, ScriptedChatModel]:
    model = ScriptedChatModel(script, remote=remote)
    user = ModelUser(model)
    user.begin(TOLD)
    return user, model


def last(model: ScriptedChatModel) -> str:
    return str(model.requests[-1].messages[-1]["content"])


# --- what it reads ---


def test_it_reads_who_it_is_then_what_there_is_to_see_and_do() -> None:
    user, model = started(READ)
    seen = view(
        3,
        previews=(
            Preview(app="email", title="Bo: Lunch", preview="Shall we meet at ele…", ref="m1"),
        ),
        proposal=OFFER,
        question="Which one?",
        report="Sent.",
        device=DeviceStatus(activity="driving"),
    )
    with pytest.raises(InputError, match="no answer to request 2"):
        user.step(seen)  # an offer is open, so READ is refused, and the script is over
    request = model.requests[0]
    system, text = (str(message["content"]) for message in request.messages)
    for told in ("Ann Lee", "strict", "Be in time.", "read m1; do nothing", "email, notes"):
        assert told in system
    assert text.splitlines() == [
        "Turn 3, Tuesday 2026-03-10 09:30. You are driving.",
        "Notification from email: Bo: Lunch: “Shall we meet at ele…” (m1)",
        "The assistant reports: Sent.",
        "Screen email Mailbox: INBOX",
        "m1 email: Bo: Lunch",
        "1",
        "The assistant asks: “Which one?”",
        "The assistant offers: “Shall I answer Bo?”",
        "Possible: open_email(email_id: m1), compose, reply(text), idle",
        "Next on your own: read m1.",
        "But first answer the offer: accept, reject, gather_context or ignore.",
    ]
    assert request.schema is not None
    assert "gather_context" in json.dumps(request.schema)
    assert request.max_tokens == MAX_TOKENS


def test_a_long_record_is_cut_and_said_to_go_on() -> None:
    long = Item(ref="m1", kind="email", text="x " * LONGEST_PAGE, shows=("*",))
    line = seen_text(view(items=(long,))).splitlines()[-1]
    assert line.endswith("…")
    assert len(line) < LONGEST_PAGE + 20
    many = seen_text(view(items=(long,) * 30)).splitlines()[-1]
    assert many == "(and 10 more further down)"


SCENARIO = load_suite(ids=["two_times_one_taken"]).sound().scenarios[0]


def test_the_briefing_names_goal_and_habits_and_nothing_of_the_solution() -> None:
    stage = build(SCENARIO, 0)
    told = briefing_of(stage, persona_of("strict"))
    text = system_text(told) + told.model_dump_json()
    assert stage.brief.goal in text
    assert [habit.ref for habit in told.habits] == ["m2", None, "m3"]
    assert told.habits[0].text == "read m2 (email in email)"
    assert told.habits[2].text == "read m3 (email in email) when it has come"
    assert stage.cue is not None
    steps = [step.call.arguments for step in stage.reference]
    secrets = [stage.cue.text, stage.report, stage.brief.reply, *stage.brief.rubric.against]
    secrets += [str(v) for given in steps for v in given.values() if len(str(v)) > 4]
    secrets += [step.call.name for step in stage.reference]
    secrets += [phrase for group in stage.brief.rubric.object[1:] for phrase in group]
    assert len(secrets) > 8
    assert [secret for secret in secrets if secret in text] == []
    needed = {need.ref for need in stage.brief.needs} - {habit.ref for habit in told.habits}
    assert needed
    assert not [ref for ref in needed if f'"{ref}"' in text or f" {ref} " in text]


def test_seeds_differ_by_scenario_seed_and_fit_31_bits() -> None:
    seeds = {briefing_of(build(SCENARIO, seed), persona_of("")).seed for seed in range(5)}
    assert len(seeds) == 5
    assert all(0 <= seed < 2**31 for seed in seeds)


@pytest.mark.parametrize(
    ("persona", "word"),
    [
        ("strict", "strict"),
        ("lenient", "easily pleased"),
        ("tired", "interruption"),
        ("late_riser", "before 09:00"),
        ("careful", "Spanish"),
        ("careful", "asked twice"),
        ("hurried", "patience"),
        ("distracted", "now and then"),
    ],
)
def test_a_persona_is_told_in_words(persona: str, word: str) -> None:
    model, found = split_persona(f"openai/gpt-5-mini#{persona}")
    assert model == "openai/gpt-5-mini"
    plain = briefing_of(build(SCENARIO, 0), persona_of("")).persona
    assert word in briefing_of(build(SCENARIO, 0), found).persona
    assert f"You are {word}" not in plain


# --- repair ---


def test_an_output_that_is_no_move_is_sent_back_with_what_was_wrong() -> None:
    user, model = started("I rest.", '{"why":"","move":{"do":"sleep"}}', IDLE)
    step = user.step(view())
    assert (step.move, step.invalid, step.gave_up) == (Idle(), 2, False)
    assert [len(request.messages) for request in model.requests] == [2, 4, 6]
    assert "must be one JSON object" in str(model.requests[1].messages[-1]["content"])
    assert "move.do must be one of open_email, compose, idle" in last(model)
    assert model.requests[2].messages[-2]["content"] == '{"why":"","move":{"do":"sleep"}}'


def test_after_two_repairs_it_idles_and_what_went_wrong_is_told() -> None:
    user, model = started("no", "no", "no", READ)
    step = user.step(view())
    assert (step.move, step.invalid, step.gave_up) == (Idle(), 3, True)
    assert step.note == "gave up: the answer must be one JSON object"
    # The failed outputs are forgotten; the next step begins with a clean history.
    assert user.step(view(2)).move == Act(
        app="email", action="open_email", arguments={"email_id": "m1"}
    )
    assert "no" not in [message["content"] for message in model.requests[-1].messages]
    assert user.take_usage().calls == 4
    assert user.take_usage().calls == 0


def test_a_text_that_does_not_end_is_an_invalid_output_and_no_fault() -> None:
    user, model = started(Unfinished("no complete JSON text within 320 tokens"), IDLE)
    assert user.step(view()).invalid == 1
    assert model.requests[1].messages[-2] == {"role": "assistant", "content": "…"}


@pytest.mark.parametrize("fault", [ModelFault("NaN"), RemoteFault("no network")])
def test_a_fault_goes_through_and_what_was_used_before_is_kept(fault: Any) -> None:
    user, _ = started("no", fault)
    with pytest.raises(type(fault)):
        user.step(view())
    assert user.take_usage().calls == 1


def test_it_needs_a_briefing_first() -> None:
    with pytest.raises(InputError, match="begin an episode"):
        ModelUser(ScriptedChatModel([IDLE])).step(view())


# --- history ---


def test_the_history_holds_what_was_seen_and_done_but_not_what_could_be_done() -> None:
    user, model = started(READ, IDLE)
    user.step(view())
    user.step(view(2))
    _, seen, done, now = (str(m["content"]) for m in model.requests[-1].messages)
    assert seen == seen_text(view())
    assert "Possible" not in seen
    assert done == READ
    assert now.startswith("Turn 2")


def test_old_turns_go_in_blocks_so_that_most_steps_only_append() -> None:
    page = Item(ref="m1", kind="email", text="word " * 120, shows=("*",))
    user, model = started(*[IDLE] * 40)
    for turn in range(1, 41):
        user.step(view(turn, items=(page,)))
    firsts = [str(request.messages[1]["content"])[:7] for request in model.requests[2:]]
    drops = sum(one != other for one, other in pairwise(firsts))
    assert 3 <= drops <= 10
    sizes = [sum(len(str(m["content"])) for m in r.messages[1:-1]) for r in model.requests]
    assert max(sizes) <= LONGEST_HISTORY
    assert max(sizes) > LONGEST_HISTORY // 2


def test_another_episode_begins_with_nothing_of_the_last() -> None:
    user, model = started(IDLE, IDLE)
    user.step(view())
    user.begin(TOLD.model_copy(update={"goal": "Another day."}))
    user.step(view())
    assert len(model.requests[-1].messages) == 2
    assert "Another day." in str(model.requests[-1].messages[0]["content"])


def test_a_remote_model_gets_the_schema_of_strict_providers() -> None:
    optional: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}}
    seen = view().model_copy(update={"actions": (offer("count", optional),)})
    for remote, required in ((True, ["n"]), (False, [])):
        user, model = started(IDLE, remote=remote)
        user.step(seen)
        schema: Any = model.requests[0].schema
        given = schema["properties"]["move"]["anyOf"][0]["properties"]["with"]
        assert given.get("required", []) == required
        assert user.take_usage().remote is remote


# --- intentions ---


def test_intentions_are_worked_off_by_what_is_seen_and_done() -> None:
    user, model = started(READ, IDLE, IDLE, '{"why":"","move":{"do":"compose"}}', IDLE)
    page = Item(ref="m1", kind="email", text="Bo: Lunch at eleven", shows=("*",))
    nexts = []
    for turn, items in enumerate([(), (page,), (page,), (), ()], 1):
        more = {"items": items} if items else {}
        user.step(view(turn, **more))
        found = [line for line in last(model).splitlines() if line.startswith("Next")]
        nexts.append(found[0] if found else "")
    assert nexts == [
        "Next on your own: read m1.",
        "Next on your own: do nothing for 2 turns.",
        "Next on your own: do nothing for 2 turns.",
        "Next on your own: in email, compose().",
        "",
    ]


def test_a_record_seen_early_need_not_be_read_again() -> None:
    page = Item(ref="m2", kind="email", text="x", shows=("*",))
    plan = Intentions((Intention(text="a", action="email.compose"), Intention(text="b", ref="m2")))
    plan.note_view(view(items=(page,)))
    assert plan.next is not None
    assert plan.next.text == "a"
    plan.note_step(UserStep(move=Answered(answer="reject")))
    assert plan.next.text == "a"
    plan.note_step(UserStep(move=Act(app="email", action="compose")))
    assert plan.next is None
