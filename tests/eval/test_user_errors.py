"""The simulated user's errors: none where it does as its rubric and persona say, and each kind
where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from heron.contracts import Act, Answered, Idle, UserErrors, UserStep, UserView
from heron.eval.gathering import gatherings
from heron.eval.prover.ground import Ground
from heron.eval.prover.seats import Offer, Speaker
from heron.eval.user_errors import Matter, matter_of, persona_in, user_errors
from heron.protocols import Observer, User
from heron.scenarios.schema import Scenario
from heron.sim.graph import next_step
from heron.sim.users.brief import Preferences
from heron.sim.users.persona import Persona, persona_of
from heron.sim.users.scripted import ScriptedUser

Edited = Callable[..., Scenario]


class Acting(ScriptedUser):
    """A scripted user whose steps can be replaced.

    Args:
        act: from the view and the step that would be right, the step that it takes.
    """

    def __init__(self, ground: Ground, act: Callable[[UserView, UserStep], UserStep]) -> None:
        super().__init__(ground.stage.brief, partial(next_step, ground.world))
        self._act = act

    def step(self, view: UserView) -> UserStep:
        return self._act(view, super().step(view))


def answering(answer: str, **more: Any) -> Callable[[UserView, UserStep], UserStep]:
    move = Answered.model_validate({"answer": answer})
    step = UserStep(move=move, **more)
    return lambda view, right: step if view.proposal is not None else right


@pytest.fixture
def ground(edited: Edited) -> Iterator[Ground]:
    made = Ground(edited(), 0)
    yield made
    made.close()


def errors(
    ground: Ground,
    user: User | None = None,
    observer: Observer | None = None,
    persona: Persona | None = None,
    **brief: Any,
) -> UserErrors:
    stage = ground.stage
    if brief:
        stage = replace(stage, brief=stage.brief.model_copy(update=brief))
    ground.world.restore(ground.start)
    matter = matter_of(stage, persona or persona_of(""))
    played = ground.play(observer or ground.oracle(), user=user)
    turns = played.course.turns
    return user_errors(matter, turns, gatherings(turns), played.log)


def saying(ground: Ground, *texts: str) -> Observer:
    return Speaker([Offer(text) for text in texts], ground.open)


def test_a_scripted_user_makes_none(ground: Ground) -> None:
    wrong = [w.text for w in ground.stage.proposals.wrong]
    assert errors(ground) == UserErrors()
    assert errors(ground, observer=saying(ground, *wrong)) == UserErrors()


def test_an_offer_may_be_refused_before_there_is_anything_to_see(edited: Edited) -> None:
    late, open_ended = ("at: 4\n", "at: 400\n"), ("{opens: news, closes", "{closes")
    made = Ground(edited(late, open_ended), 0)
    text = made.stage.proposals.reference[0]
    no = Acting(made, answering("reject"))
    found = errors(made, no, Speaker([Offer(text)] * 8, lambda: True))
    # One is refused in each turn from the second on, at 300 s, 320 s, …; the mail comes at 400 s.
    assert found.misjudged == (7, 8, 9)
    made.close()


def test_a_wrong_offer_taken_is_misjudged(ground: Ground) -> None:
    yes = Acting(ground, answering("accept"))
    for wrong in ground.stage.proposals.wrong:
        assert errors(ground, yes, saying(ground, wrong.text)).misjudged, wrong.text
    assert errors(ground, yes).misjudged == ()


def test_a_right_offer_refused_is_misjudged(ground: Ground) -> None:
    assert errors(ground, Acting(ground, answering("reject"))).misjudged


@pytest.mark.parametrize(
    "persona",
    [
        Persona(name="p", summary="p", longest_offer=10),
        Persona(name="p", summary="p", strictness="strict"),
        Persona(name="p", summary="p", preferences=Preferences(not_before="23:59")),
    ],
)
def test_what_a_persona_allows_is_no_error(edited: Edited, persona: Persona) -> None:
    vague_book = 'object: [[book, "Book of the Dead"], ["{new:any_time}"]]'
    made = Ground(edited(('object: [[book], ["{new:any_time}"]]', vague_book)), 0)
    no = Acting(made, answering("reject"))
    assert errors(made, no, persona=persona).misjudged == ()
    assert errors(made, no).misjudged != ()
    made.close()


def test_a_tired_user_may_refuse_later_offers_and_not_the_first(ground: Ground) -> None:
    tired = persona_of("tired")
    right = ground.stage.proposals.reference
    observer = saying(ground, right[0], right[1])
    found = errors(ground, Acting(ground, answering("reject")), observer, tired)
    assert len(found.misjudged) == 1


def test_a_user_without_a_way_to_what_is_there_is_lost(ground: Ground) -> None:
    blind = ScriptedUser(ground.stage.brief, lambda _: None)
    found = errors(ground, blind)
    assert found.lost
    assert found.misjudged == ()


def test_a_user_that_looks_and_looks_is_lost(ground: Ground) -> None:
    home = UserStep(move=Act(app="system", action="go_home"), looking=True)

    def wander(view: UserView, right: UserStep) -> UserStep:
        return home if view.proposal is not None else right

    assert errors(ground, Acting(ground, wander)).lost


def test_an_action_that_the_phone_refuses(ground: Ground) -> None:
    nonsense = UserStep(move=Act(app="email", action="send"))
    user = Acting(ground, lambda view, right: nonsense if view.turn == 2 else right)
    assert errors(ground, user).refused == (2,)


def test_outputs_that_come_to_nothing_are_invalid(ground: Ground) -> None:
    def babble(view: UserView, right: UserStep) -> UserStep:
        return {
            1: UserStep(move=Idle(), invalid=3, gave_up=True),
            2: right.model_copy(update={"invalid": 1}),
        }.get(view.turn, right)

    found = errors(ground, Acting(ground, babble))
    assert found.invalid[0] == 1
    assert found.total == len(found.invalid)


def test_the_persona_in_a_users_name() -> None:
    names: Sequence[tuple[str, str]] = [
        ("scripted", "neutral"),
        ("scripted:strict", "strict"),
        ("gguf:some-model", "neutral"),
        ("litellm:openai/gpt#tired", "tired"),
        ("mine:whatever", "neutral"),
    ]
    for spec, name in names:
        assert persona_in(spec).name == name


def test_a_matter_knows_what_was_there_at_the_start(ground: Ground) -> None:
    ground.world.restore(ground.start)
    matter: Matter = matter_of(ground.stage, persona_of(""))
    assert matter.there == {ground.stage.labels["fetch"]}
