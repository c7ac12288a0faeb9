"""Scripted users in whole episodes: they carry on with their errand, and offers are compared."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from heron.contracts import EpisodeConfig, EpisodeRecord
from heron.errors import UnknownName
from heron.eval.acceptance import Tryout, degraded
from heron.eval.batch import Bench, Plan
from heron.eval.digest import digest_of
from heron.eval.prover.ground import Ground
from heron.eval.prover.seats import Offer, Speaker
from heron.eval.users.scripted import make
from heron.scenarios.schema import Scenario
from heron.sim.users.brief import Rubric

Edited = Callable[..., Scenario]
BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "users.py"

ERRANDS = {
    "in a chat, and the mail is elsewhere": """[
      {do: {app: messaging, action: open_conversation, arguments: {conversation_id: "@chat"}}},
      {rest: 1},
      {do: {app: messaging, action: send, arguments: {content: Hello}}}]""",
    "on a form of the app in which the reminder is": """[
      {do: {app: reminder, action: open_reminder, arguments: {reminder_id: "@milk"}}},
      {do: {app: reminder, action: edit}},
      {do: {app: reminder, action: set_title, arguments: {title: Oat milk}}},
      {do: {app: reminder, action: save}}]""",
    "begins with what it is made to look at first": """[
      {rest: 1},
      {do: {app: messaging, action: open_conversation, arguments: {conversation_id: "@chat"}}},
      {see: news},
      {do: {app: email, action: reply}}]""",
    "begins in the app at which it is made to look last": """[
      {rest: 3},
      {do: {app: reminder, action: open_reminder, arguments: {reminder_id: "@milk"}}}]""",
    "leads back in an app": """[
      {do: {app: reminder, action: open_reminder, arguments: {reminder_id: "@milk"}}},
      {do: {app: system, action: back}},
      {do: {app: reminder, action: open_reminder, arguments: {reminder_id: "@milk"}}},
      {do: {app: reminder, action: edit}}]""",
}


def played(scenario: Scenario, *, offers: bool) -> tuple[list[str], list[str], int]:
    """What the user did of its own in order, what was refused, and how often it looked."""
    ground = Ground(scenario, 0)
    try:
        wrong = [Offer(ground.stage.proposals.wrong[1].text)] if offers else []
        found = ground.play(Speaker(wrong, ground.open), turns=30)
        steps = [turn for turn in found.course.turns if turn.step.move.type == "act"]
        own = [t.step.move for t in steps if t.step.note == "its own errand"]
        names = [f"{move.app}.{move.action}" for move in own if move.type == "act"]
        refused = [turn.error for turn in steps if turn.error is not None]
        return names, refused, sum(turn.step.looking for turn in steps)
    finally:
        ground.close()


@pytest.mark.parametrize("news_at", [4, 20, 40])
@pytest.mark.parametrize("errand", ERRANDS.values(), ids=list(ERRANDS))
def test_it_carries_on_with_its_errand_where_it_left_off(
    edited: Edited, errand: str, news_at: int
) -> None:
    """Wherever on its errand it is when the offer comes."""
    scenario = edited(
        ("[{rest: 1}]", errand),
        ("at: 4\n", f"at: {news_at}\n"),
        ("needs: [news, fetch.due_datetime]", "needs: [news, fetch]"),
    )
    alone, nothing, looks = played(scenario, offers=False)
    assert (nothing, looks) == ([], 0)
    with_offer, refused, looks = played(scenario, offers=True)
    assert looks > 0
    assert refused == []
    assert with_offer[-1] == alone[-1]
    assert set(alone) == set(with_offer)


@pytest.mark.parametrize("persona", ["neutral", "strict", "hurried", "distracted"])
def test_up_to_the_answer_right_and_wrong_offers_are_met_alike(
    edited: Edited, persona: str
) -> None:
    ground = Ground(edited(), 0)
    proposals = ground.stage.proposals
    texts = [*proposals.reference, *(w.text for w in proposals.wrong if w.why != "vague")]
    met = set()
    for text in texts:
        user = make(ground.stage, persona)
        turns = ground.play(ground.oracle(text), user=user).course.turns
        answered = [t.turn for t in turns if t.step.move.type == "answered"]
        steps = [t.step.model_dump_json() for t in turns if t.turn < min(answered, default=99)]
        met.add((tuple(steps), tuple(answered[:1])))
    ground.close()
    assert len(met) == 1


def episodes(scenario: Scenario, user: str, runs: int = 8) -> list[EpisodeRecord]:
    config = EpisodeConfig(observer="oracle", executor="oracle", user=user)
    return list(Bench(Plan(config, runs=runs)).episodes([scenario]))


@pytest.mark.parametrize("persona", ["tired", "distracted", "hurried", "lenient"])
def test_chance_is_seeded(edited: Edited, persona: str) -> None:
    first = episodes(edited(), f"scripted:{persona}")
    assert digest_of(first) == digest_of(episodes(edited(), f"scripted:{persona}"))


def test_seeds_differ(edited: Edited) -> None:
    away = [
        tuple(t.turn for t in e.turns if t.step.note == "does not look at the phone")
        for e in episodes(edited(), "scripted:distracted")
    ]
    assert len(set(away)) > 1


def test_a_record_holds_gatherings_and_no_errors(edited: Edited) -> None:
    for episode in episodes(edited(), "scripted", runs=2):
        (gathering,) = episode.gatherings
        assert gathering.end == "accept"
        assert gathering.looks >= 2
        assert gathering.refs
        assert gathering.seconds > 0
        assert episode.user_errors is not None
        assert episode.user_errors.total == 0
        assert EpisodeRecord.model_validate_json(episode.model_dump_json()) == episode


def test_the_observer_is_not_told_of_a_gathering(edited: Edited) -> None:
    """It sees an action and, later, an answer; no record of the gathering crosses to it."""
    (episode,) = episodes(edited(), "scripted", runs=1)
    decided = [t.decision.answer for t in episode.turns if t.decision is not None]
    assert decided[:2] == ["gather_context", "gather_context"]
    assert "gather" not in json.dumps(
        [answer.model_dump(mode="json") for turn in episode.turns for answer in turn.observer]
    )


def test_pace_stretches_the_phones_time(edited: Edited, tmp_path: Path) -> None:
    def seconds(pace: float) -> float:
        file = tmp_path / f"pace{pace}.yaml"
        file.write_text(f"name: paced\nsummary: Of a pace.\npace: {pace}\n")
        (episode,) = episodes(edited(), f"scripted:{file}", runs=1)
        return episode.gatherings[0].seconds

    assert seconds(2.0) == 2 * seconds(1.0)


def test_a_wrong_persona_is_told_before_anything_is_played() -> None:
    with pytest.raises(UnknownName, match="unknown persona 'tierd'; did you mean 'tired'"):
        Bench(Plan(EpisodeConfig(observer="never", executor="none", user="scripted:tierd")))


# --- offers -------------------------------------------------------------------------------------


RUBRIC = Rubric(
    object=(("dentist", "Dr Okafor*"), ("Thursday", "12:30")), act=(("move",),), topic=("move",)
)


@pytest.mark.parametrize(
    ("text", "less"),
    [
        ("Move Dr Okafor's date to 12:30?", "Move 's date to 12:30?"),
        ("Move the dentist, Dr Okafor, to Thursday?", "Move the , , to Thursday?"),
        ("Move the dentist?", "Move the ?"),
        ("Move it to another day?", None),
    ],
)
def test_degraded_offers_lack_one_object(text: str, less: str | None) -> None:
    assert degraded(RUBRIC, text) == less


@pytest.fixture
def tryout(edited: Edited) -> Iterator[Tryout]:
    made = Tryout(edited(), 0)
    yield made
    made.close()


def test_each_kind_of_offer_ends_as_it_should(tryout: Tryout) -> None:
    found = [tryout.answer(kind, text, "neutral") for kind, text in tryout.offers()]
    assert {answer.kind for answer in found} == {"reference", "degraded", "wrong", "vague"}
    for answer in found:
        assert answer.accepted == (answer.kind == "reference"), answer.text
        assert answer.rejected == (answer.kind != "reference"), answer.text
        assert answer.first == ("reject" if answer.kind == "vague" else "gather_context")
        assert answer.unseen
        assert answer.errors == 0


def test_a_lenient_user_takes_degraded_offers(tryout: Tryout) -> None:
    for kind, text in tryout.offers():
        if kind == "degraded":
            assert tryout.answer(kind, text, "lenient").accepted


def test_an_offer_after_others(tryout: Tryout) -> None:
    text = next(text for kind, text in tryout.offers() if kind == "reference")
    found = tryout.after(3, text, "neutral")
    assert (found.earlier, found.accepted, found.errors) == (3, True, 0)


@pytest.mark.slow
def test_the_figures_hold_on_a_part_of_the_suite() -> None:
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), "--seeds", "1", "--every", "6"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    # So few scenarios cannot tell one interruption more or less; they tell none from three.
    assert [failure for failure in found["failures"] if "tired" not in failure] == []
    assert found["tired"]["differences"]["0 - 3 earlier"]["low"] > 0
    assert found["neutral"]["reference_accepted"]["of"] > 40
    assert found["user_errors"] == {}
