"""The scripted user: looks, judges, answers; and how a persona shifts each of these."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from heron.contracts import Act, Item, Proposal, ScreenView, UserStep, UserView
from heron.sim.users.brief import Need, Preferences, Rubric, UserBrief, Window
from heron.sim.users.persona import Persona
from heron.sim.users.reasons import REASONS
from heron.sim.users.scripted import Luck, ScriptedUser

START = datetime(2026, 3, 10, 9, 30)
RUBRIC = Rubric(
    object=(("dentist", "Dr Okafor"), ("Thursday", "12:30")),
    act=(("move",),),
    against=("cancel",),
    tools=("calendar.edit_calendar_event",),
)
RIGHT = "Shall I move Dr Okafor to Thursday?"
WRONG = "Shall I move the dentist to Friday?"
CONTRARY = "Shall I cancel the dentist on Thursday?"
VAGUE = "May I help?"
MAIL = Item(ref="m1", kind="email", text="Thursday?", shows=("*",))


def user(*, wanted: bool = True, seed: int = 0, **settings: Any) -> ScriptedUser:
    persona = Persona(name="some", summary="For a test.", **settings)
    brief = UserBrief(
        goal="See the dentist.", needs=(Need(ref="m1"),), rubric=RUBRIC, wanted=wanted
    )
    go = Act(app="system", action="open_app", arguments={"app": "email"})
    return ScriptedUser(brief, lambda _: go, persona, Luck(seed, "s"))


def view(
    offer: str | None, *, seen: bool = False, number: int = 1, after_s: float = 0, turn: int = 1
) -> UserView:
    return UserView(
        turn=turn,
        time=START + timedelta(seconds=after_s),
        screen=ScreenView(app="email", screen="Mail", title="Mail", items=(MAIL,) if seen else ()),
        previews=(),
        actions=(),
        proposal=None
        if offer is None
        else Proposal(proposal_id=f"p{number}", turn=turn, text=offer),
    )


def said(step: UserStep) -> str:
    """The answer and its reason in English, or ``looks`` or ``idle``."""
    if step.move.type == "answered":
        words = {text: why for why, text in REASONS["en"].items()}
        return f"{step.move.answer}: {words[step.move.reason]}"
    return "looks" if step.looking else step.move.type


# --- neutral ------------------------------------------------------------------------------------


@pytest.mark.parametrize("offer", [RIGHT, WRONG, CONTRARY])
def test_looking_betrays_nothing(offer: str) -> None:
    """The step is the same for right and wrong, down to the note."""
    assert user().step(view(offer)) == user().step(view(RIGHT))
    assert said(user().step(view(offer))) == "looks"


@pytest.mark.parametrize(
    ("offer", "answer"),
    [
        (RIGHT, "accept: fits"),
        (WRONG, "reject: object"),
        (CONTRARY, "reject: against"),
        ("Shall I note the dentist on Thursday?", "reject: act"),
        (VAGUE, "reject: vague"),
    ],
)
def test_once_seen_it_answers(offer: str, answer: str) -> None:
    someone = user()
    someone.step(view(None, seen=True))
    assert said(someone.step(view(offer))) == answer


def test_what_is_vague_is_refused_without_a_look() -> None:
    assert said(user().step(view(VAGUE))) == "reject: vague"


def test_a_preview_is_no_knowledge_and_a_screen_is() -> None:
    assert said(user().step(view(RIGHT, seen=True))) == "accept: fits"


def test_nothing_is_taken_where_no_help_is_wanted() -> None:
    assert said(user(wanted=False).step(view(RIGHT, seen=True))) == "reject: unwanted"


@pytest.mark.parametrize(("after_s", "why"), [(-60, "early"), (60, "fits"), (600, "late")])
def test_an_offer_must_be_in_time(after_s: float, why: str) -> None:
    someone = user()
    window = Window(opens=START, closes=START + timedelta(seconds=300))
    someone.brief = someone.brief.model_copy(update={"window": window})
    assert said(someone.step(view(RIGHT, seen=True, after_s=after_s))).endswith(why)


def test_it_says_that_it_found_no_way() -> None:
    someone = ScriptedUser(user().brief, lambda _: None)
    step = someone.step(view(RIGHT))
    assert (said(step), step.lost) == ("reject: unseen", True)


# --- personas -----------------------------------------------------------------------------------


def test_trust_skips_the_look_for_right_and_wrong_alike() -> None:
    first = {
        offer: [said(user(seed=seed, trust=0.5).step(view(offer))) for seed in range(60)]
        for offer in (RIGHT, WRONG)
    }
    looked = {offer: [answer == "looks" for answer in answers] for offer, answers in first.items()}
    assert looked[RIGHT] == looked[WRONG]
    assert 15 < sum(looked[RIGHT]) < 45
    assert set(first[RIGHT]) == {"looks", "accept: fits"}
    assert set(first[WRONG]) == {"looks", "reject: object"}


def test_trust_is_decided_once_per_offer() -> None:
    """Else waiting long enough would make anybody trusting."""
    for seed in range(20):
        someone = user(seed=seed, trust=0.5)
        first = said(someone.step(view(RIGHT)))
        if first == "looks":
            assert {said(someone.step(view(RIGHT, turn=t))) for t in range(2, 8)} == {"looks"}


@pytest.mark.parametrize(
    ("offer", "lenient", "normal", "strict"),
    [
        ("Shall I move Dr Okafor to 12:30?", "fits", "fits", "fits"),
        ("Shall I move Dr Okafor to Thursday?", "fits", "fits", "fits"),
        ("Shall I move the dentist to Thursday?", "fits", "fits", "unspecific"),
        ("Shall I move the dentist?", "fits", "object", "object"),
        ("Shall I cancel the dentist?", "against", "against", "against"),
        ("Shall I note down the dentist?", "act", "object", "object"),
        ("Shall I move something?", "vague", "vague", "vague"),
    ],
)
def test_strictness(offer: str, lenient: str, normal: str, strict: str) -> None:
    for strictness, why in (("lenient", lenient), ("normal", normal), ("strict", strict)):
        answer = said(user(strictness=strictness).step(view(offer, seen=True)))
        assert answer == ("accept: fits" if why == "fits" else f"reject: {why}"), strictness


def test_what_is_too_long_is_refused_unread() -> None:
    assert said(user(longest_offer=20).step(view(RIGHT))) == "reject: long"
    assert said(user(longest_offer=len(RIGHT)).step(view(RIGHT))) == "looks"


def test_patience_ends_after_so_many_looks() -> None:
    someone = user(patience=2)
    answers = [said(someone.step(view(RIGHT, turn=t))) for t in range(1, 4)]
    assert answers == ["looks", "looks", "reject: patience"]
    assert said(someone.step(view(RIGHT, number=2, turn=5))) == "looks"


def test_attention_is_drawn_at_each_turn_whatever_is_there() -> None:
    def idle(offer: str | None) -> list[bool]:
        someone = user(attention=0.5)
        steps = [someone.step(view(offer, seen=True, turn=t)) for t in range(1, 61)]
        return [step.note == "does not look at the phone" for step in steps]

    assert idle(None) == idle(RIGHT)
    assert 15 < sum(idle(None)) < 45


def test_what_is_not_looked_at_is_not_known() -> None:
    away = next(s for s in range(50) if "look" in user(seed=s, attention=0.5).step(view(None)).note)
    someone = user(seed=away, attention=0.5)
    someone.step(view(None, seen=True))
    later = next(t for t in range(2, 50) if someone.step(view(RIGHT, turn=t)).move.type != "idle")
    assert said(someone.step(view(RIGHT, turn=later))) == "looks"


def test_fatigue_grows_with_interruptions_and_fades_with_time() -> None:
    def accepted(earlier: int, after_s: float = 0) -> int:
        taken = 0
        for seed in range(60):
            someone = user(seed=seed, fatigue=0.3, recovery_s=600)
            for number in range(earlier):
                someone.step(view(VAGUE, number=number))
            step = someone.step(view(RIGHT, seen=True, number=99, after_s=after_s))
            assert said(step) in ("accept: fits", "reject: fatigue")
            taken += said(step) == "accept: fits"
        return taken

    counts = [accepted(earlier) for earlier in range(5)]
    assert counts[0] == 60
    assert counts == sorted(counts, reverse=True)
    assert counts[4] == 0
    assert accepted(4, after_s=600) > 10
    assert accepted(4, after_s=60_000) == 60


def test_pace_is_that_of_every_step() -> None:
    assert user(pace=1.5).step(view(RIGHT)).pace == 1.5
    assert user().step(view(RIGHT)).pace == 1.0


def test_nothing_before_its_hour() -> None:
    wish = Preferences(not_before="10:00")
    assert said(user(preferences=wish).step(view(RIGHT, seen=True))) == "reject: hour"
    step = user(preferences=wish).step(view(RIGHT, seen=True, after_s=1800))
    assert said(step) == "accept: fits"


def test_a_scenarios_preferences_count_as_the_personas_do() -> None:
    someone = user()
    wish = Preferences(not_before="10:00")
    someone.brief = someone.brief.model_copy(update={"preferences": wish})
    assert said(someone.step(view(RIGHT, seen=True))) == "reject: hour"


def test_purchases_are_confirmed_by_a_second_offer() -> None:
    wish = Preferences(confirm_purchases=True)
    buys = RUBRIC.model_copy(update={"tools": ("shopping.checkout",)})
    someone = user(preferences=wish)
    assert said(someone.step(view(RIGHT, seen=True))) == "accept: fits"
    someone = user(preferences=wish)
    someone.brief = someone.brief.model_copy(update={"rubric": buys})
    assert said(someone.step(view(WRONG, seen=True))) == "reject: object"
    assert said(someone.step(view(RIGHT, number=2))) == "reject: confirm"
    assert said(someone.step(view(RIGHT, number=3))) == "accept: fits"


def test_it_gives_its_reasons_in_its_language() -> None:
    step = user(language="de").step(view(RIGHT, seen=True))
    assert step.move.type == "answered"
    assert step.move.reason == "Ja, bitte."


# --- chance -------------------------------------------------------------------------------------


def test_luck_is_that_of_scenario_seed_and_persona() -> None:
    def drawn(seed: int, scenario: str, name: str) -> list[bool]:
        return [Luck(seed, scenario).happens(0.5, name, "attention", t) for t in range(30)]

    assert drawn(1, "s", "tired") == drawn(1, "s", "tired")
    others = [drawn(2, "s", "tired"), drawn(1, "t", "tired"), drawn(1, "s", "hurried")]
    assert drawn(1, "s", "tired") not in others


def test_certain_things_draw_nothing() -> None:
    assert all(Luck(seed, "s").happens(1, "x") for seed in range(50))
    assert not any(Luck(seed, "s").happens(0, "x") for seed in range(50))
