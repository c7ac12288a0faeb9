"""The moves of a view: whatever the schema allows is a legal step, and nothing else is one."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from heron.contracts import Act, Answered, Idle, Proposal, Reply, UserStep, UserView
from heron.eval.users.choices import MOST_ITEMS, Choices, InvalidMove
from heron.scenarios.builder import build
from heron.scenarios.loader import load_suite
from heron.sim.phone import SYSTEM
from heron.sim.state import Snapshot
from heron.sim.world import World

OFFER = Proposal(proposal_id="p1", turn=1, text="Shall I move the meeting?")
CALENDAR = Act(app=SYSTEM, action="open_app", arguments={"app": "calendar"})
MAIL = Act(app=SYSTEM, action="open_app", arguments={"app": "email"})
CHATS = Act(app=SYSTEM, action="open_app", arguments={"app": "messaging"})
CARDS = Act(app=SYSTEM, action="open_app", arguments={"app": "contacts"})
SEARCH = (
    Act(app=SYSTEM, action="open_app", arguments={"app": "apartment"}),
    Act(app="apartment", action="open_search"),
)


@cache
def start() -> tuple[World, Snapshot]:
    """A lived-in phone with all apps, and the way back to its start."""
    suite = load_suite(ids=["two_times_one_taken"]).sound()
    world = build(suite.scenarios[0], 0, "light").world
    return world, world.snapshot()


def phone(*acts: Act) -> World:
    world, snapshot = start()
    world.restore(snapshot)
    for act in acts:
        assert world.user_act(act).error is None
    return world


def view(world: World, *, offer: bool = False, question: str | None = None) -> UserView:
    return UserView(
        turn=1,
        time=world.now,
        screen=world.phone.view(),
        previews=(),
        actions=world.phone.offers(),
        proposal=OFFER if offer else None,
        question=question,
    )


def said(move: Any, why: Any = "so") -> str:
    return json.dumps({"why": why, "move": move})


# --- whatever the schema allows ---


def values(schema: Any) -> st.SearchStrategy[Any]:
    """All values of a schema, of the words that are used."""
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values(branch) for branch in schema["anyOf"]])
    kind = schema["type"]
    if kind == "object":
        parts = {name: values(node) for name, node in schema["properties"].items()}
        needed = set(schema.get("required", ()))
        optional = {name: parts.pop(name) for name in list(parts) if name not in needed}
        return st.fixed_dictionaries(parts, optional=optional)
    if kind == "array":
        least, most = schema.get("minItems", 0), schema["maxItems"]
        return st.lists(values(schema["items"]), min_size=least, max_size=min(most, least + 2))
    return scalars(kind, schema)


def scalars(kind: str, schema: Any) -> st.SearchStrategy[Any]:
    if kind == "string" and "pattern" in schema:
        pattern = schema["pattern"].removesuffix("$") + r"\Z"
        return st.from_regex(re.compile(pattern, re.ASCII))
    if kind == "string":
        return st.text(min_size=schema.get("minLength", 0), max_size=min(schema["maxLength"], 20))
    if kind == "integer":
        return st.integers(schema["minimum"], schema["maximum"])
    if kind == "number":
        return st.floats(schema["minimum"], schema["maximum"])
    return {"boolean": st.booleans(), "null": st.none()}[kind]


def check_legal(world: World, step: UserStep) -> None:
    """The action is one of the screen, of records that it shows, with arguments of its types.

    What an app says to them (nobody has that address) is its own affair.
    """
    move = step.move
    if not isinstance(move, Act):
        return
    if move.app != SYSTEM:
        screen = world.phone.screen
        assert screen is not None
        action = screen.ACTIONS[move.action]
        assert action in screen.legal(world.apps[move.app])
        action.signature.check(move.action, move.arguments)
        world.phone._check_visible(screen, move.app, move.action, move.arguments)
        assert not step.looking or action.effect == "read"
        world.user_act(move)
    else:
        assert world.user_act(move).error is None


# Not shrunk: each step of it plays on a phone.
@settings(max_examples=50, phases=(Phase.generate,))
@given(
    st.data(),
    st.sampled_from([(), (CALENDAR,), (MAIL,), SEARCH]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, "Which one?"]),
)
def test_any_json_that_the_schema_allows_becomes_a_legal_step(
    data: st.DataObject,
    way: tuple[Act, ...],
    offer: bool,
    complete: bool,
    question: str | None,
) -> None:
    world = phone(*way)
    for _ in range(5):
        choices = Choices(view(world, offer=offer, question=question), complete=complete)
        text = json.dumps(data.draw(values(choices.schema)))
        Draft202012Validator(choices.schema).validate(json.loads(text))
        check_legal(world, choices.read(text))


@pytest.mark.parametrize("way", [(MAIL,), (CHATS,), (CARDS,)])
def test_every_record_that_can_be_named_is_on_the_screen(way: tuple[Act, ...]) -> None:
    world = phone(*way)
    screen, named = world.phone.screen, 0
    assert screen is not None
    for choice in Choices(view(world)).choices.values():
        action = screen.ACTIONS.get(choice.name)
        for name in action.refs() if action else ():
            assert choice.arguments is not None
            for ref in choice.arguments["properties"][name]["enum"]:
                world.phone._check_visible(
                    screen, str(way[-1].arguments["app"]), choice.name, {name: ref}
                )
                named += 1
    assert named > 1


@settings(max_examples=200)
@given(
    st.text(max_size=200)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["why", "move", "do", "with", "answer"]), inner, max_size=4
            )
        ),
    ).map(json.dumps)
)
def test_what_is_no_move_is_refused_in_one_line(text: str) -> None:
    choices = Choices(view(phone(MAIL), offer=True))
    problem = ""
    try:
        choices.read(text)
    except InvalidMove as error:
        problem = str(error)
    if problem:
        assert problem.splitlines() == [problem]
    else:
        Draft202012Validator(choices.schema).validate(json.loads(text))


# --- and nothing else ---


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I would open the mail.", "one JSON object"),
        ("", "one JSON object"),
        ('["open_app"]', "one JSON object"),
        ('{"why": "x", "move": {"do": "idle"}', "no JSON object: Expecting"),
        ('{"why": "x", "move": {"do"', "one JSON object"),
        ('{"a":' * 900 + "{}" + "}" * 900, "JSON object"),
        ('{"why": "x", "move": {"do": NaN}}', "NaN is no number"),
        ('{"move": {"do": "idle"}}', "must have why and move"),
        (said({"do": "idle"}, why=3), "why must be a text"),
        (said("idle"), "move an object"),
        (said({"do": "dance"}), "must be one of open_email"),
        (said({"do": ["open_email"]}), "must be one of"),
        (said({"do": "idle", "with": {}}), "nothing else"),
        (said({"do": "open_email"}), "must have do and with"),
        (said({"do": "open_email", "with": "m1"}), "must be an object"),
        (said({"do": "open_email", "with": {"email_id": "m999"}}), "move.with.email_id"),
        (said({"do": "open_email", "with": {"email_id": 1}}), "move.with.email_id"),
        (said({"do": "open_folder", "with": {"folder": "HEAP"}}), "'HEAP' is not one of"),
        (said({"do": "search", "with": {"query": "x" * 500}}), "breaks maxLength 160"),
        (said({"do": "search", "with": {"query": "x", "also": 1}}), "'also' was unexpected"),
        (said({"answer": "accept"}), "no offer to answer"),
        (said({"do": "reply", "with": {"text": "yes"}}), "must be one of"),
    ],
)
def test_malformed_answers_are_told_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(InvalidMove, match=re.escape(problem)) as caught:
        Choices(view(phone(MAIL))).read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("move", "problem"),
    [
        ({"do": "idle"}, "must be one of accept"),
        ({"answer": "maybe"}, "must be one of accept"),
        ({"answer": "accept", "do": "idle"}, "nothing else"),
        ({"answer": "gather_context"}, "must be one of"),
        ({"answer": "gather_context", "do": "compose"}, ""),
        ({"answer": "gather_context", "do": "idle"}, "no way to look"),
    ],
)
def test_while_an_offer_is_open_a_move_begins_with_the_answer(
    move: dict[str, Any], problem: str
) -> None:
    choices = Choices(view(phone(MAIL), offer=True))
    if not problem:
        assert choices.read(said(move)).looking
        return
    with pytest.raises(InvalidMove, match=problem):
        choices.read(said(move))


def test_a_day_that_there_is_not_cannot_be_named() -> None:
    choices = Choices(view(phone(CALENDAR)))
    for day in ("2026-02-30", "2026-06-31", "0000-01-01", "2026-13-01"):
        with pytest.raises(InvalidMove, match=r"move\.with\.day"):
            choices.read(said({"do": "set_day", "with": {"day": day}}))
    step = choices.read(said({"do": "set_day", "with": {"day": "2026-02-28"}}))
    assert step.move == Act(app="calendar", action="set_day", arguments={"day": "2026-02-28"})


# --- what a move means ---


def test_moves_mean_what_they_say() -> None:
    world = phone(MAIL)
    choices = Choices(view(world, offer=True, question="Which one?"))
    first = world.phone.view().items[0].ref
    opened = {"do": "open_email", "with": {"email_id": first}}
    act = Act(app="email", action="open_email", arguments={"email_id": first})
    assert choices.read(said({"answer": "accept"})).move == Answered(answer="accept", reason="so")
    looks = choices.read(said({"answer": "gather_context", **opened}, why=" to see "))
    assert looks == UserStep(move=act, looking=True, note="to see")
    assert choices.read(said({"answer": "ignore", **opened})) == UserStep(move=act, note="so")
    reply = {"answer": "ignore", "do": "reply", "with": {"text": "The first."}}
    assert choices.read(said(reply)).move == Reply(text="The first.")
    assert choices.read(f"```json\n{said({'answer': 'ignore', 'do': 'idle'})}\n```").move == Idle()


def test_null_is_the_same_as_leaving_out_what_may_be_left_out() -> None:
    world = phone(*SEARCH)
    given = {"location": "Leipzig", "name": None, "max_price": None}
    for complete in (False, True):
        choices = Choices(view(world), complete=complete)
        step = choices.read(said({"do": "search", "with": given}))
        assert step.move == Act(app="apartment", action="search", arguments={"location": "Leipzig"})


def test_strict_providers_get_every_property_required_and_no_choice_at_the_root() -> None:
    def check(node: Any) -> None:
        if isinstance(node, list):
            for part in node:
                check(part)
        elif isinstance(node, dict):
            if node.get("type") == "object":
                assert node["required"] == list(node["properties"])
                assert node["additionalProperties"] is False
            for part in node.values():
                check(part)

    for way in ((), (CALENDAR,), SEARCH):
        schema = Choices(view(phone(*way), offer=True), complete=True).schema
        assert schema["type"] == "object"
        check(schema)


def test_only_what_the_user_sees_can_be_named() -> None:
    world = phone(MAIL)
    full = world.phone.view()
    many = full.model_copy(update={"items": full.items * 20})
    assert len(many.items) > MOST_ITEMS
    last = many.items[-1].model_copy(update={"ref": "m777"})
    seen = view(world).model_copy(
        update={"screen": many.model_copy(update={"items": (*many.items, last)})}
    )
    with pytest.raises(InvalidMove, match="m777"):
        Choices(seen).read(said({"do": "open_email", "with": {"email_id": "m777"}}))


def test_the_app_in_front_is_not_opened_again_and_a_lone_app_not_at_all() -> None:
    choices = Choices(view(phone(MAIL)))
    with pytest.raises(InvalidMove, match="'email' is not one of"):
        choices.read(said({"do": "open_app", "with": {"app": "email"}}))
    seen = view(phone(MAIL))
    alone = tuple(
        offer.model_copy(
            update={
                "parameters": {
                    "type": "object",
                    "properties": {"app": {"type": "string", "enum": ["email"]}},
                    "required": ["app"],
                }
            }
        )
        if offer.name == "open_app"
        else offer
        for offer in seen.actions
    )
    assert "open_app" not in Choices(seen.model_copy(update={"actions": alone})).choices


def test_actions_of_reserved_or_equal_names_are_called_by_their_app() -> None:
    seen = view(phone(MAIL))
    own = next(offer for offer in seen.actions if offer.name == "compose")
    doubles = tuple(own.model_copy(update={"name": name}) for name in ("idle", "reply", "back"))
    choices = Choices(seen.model_copy(update={"actions": (*doubles, *seen.actions)}))
    assert choices.read(said({"do": "email.idle"})).move == Act(app="email", action="idle")
    assert choices.read(said({"do": "back"})).move == Act(app="email", action="back")
    assert choices.read(said({"do": "system.back"})).move == Act(app=SYSTEM, action="back")
    assert choices.read(said({"do": "idle"})).move == Idle()
