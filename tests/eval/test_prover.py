"""Each kind of mutant is killed where a scenario is sound, and survives where it has a hole."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import pytest

from heron.contracts import Answered, Check, UserStep, UserView
from heron.eval import verdict
from heron.eval.prover.trials import KINDS, MEANING, Kind, Proof
from heron.scenarios.check import check
from heron.scenarios.schema import Scenario
from heron.scenarios.stage import Stage
from heron.sim.consent import Grants
from heron.sim.graph import next_step
from heron.sim.users.scripted import ScriptedUser

Proving = Callable[..., Proof]

NOTHING_NET = (
    """  - tool: reminder.update_reminder
    arguments: {reminder_id: "@fetch", due_datetime: "{new}"}
  - tool: messaging.send_message
    arguments: {user_id: "@friend_chat", content: "The book is there from {new:time}."}
    facts: {content: [["{new:any_time}"]]}
""",
    """  - tool: reminder.add_reminder
    arguments: {title: Book, due_datetime: "{new}"}
    label: made
  - {tool: reminder.delete_reminder, arguments: {reminder_id: "@made"}}
""",
)
"""A reference that undoes what it does."""


class YesMan(ScriptedUser):
    """Accepts whatever is offered."""

    def step(self, view: UserView) -> UserStep:
        if view.proposal is not None:
            return UserStep(move=Answered(answer="accept"))
        return super().step(view)


def yes_man(stage: Stage) -> YesMan:
    return YesMan(stage.brief, partial(next_step, stage.world))


def survived(proof: Proof) -> list[Kind]:
    """Kinds of the survivors, each once, in order."""
    assert proof.error is None
    return list(dict.fromkeys(survivor.kind for survivor in proof.survivors))


def states(proof: Proof, kind: Kind) -> set[str]:
    return {trial.state for trial in proof.trials if trial.kind == kind}


def test_every_kind_has_a_meaning() -> None:
    assert KINDS == get_args(Kind) == tuple(MEANING)


def test_sound_scenarios_kill_every_mutant(goal: Proving, quiet: Proving) -> None:
    proofs = [goal(), quiet()]
    assert [survived(proof) for proof in proofs] == [[], []]
    played = {t.kind for proof in proofs for t in proof.trials if t.state == "killed"}
    # The window opens 4 seconds after the start: nobody can be early.
    assert set(KINDS) - played == {"early"}


# --- the solution -------------------------------------------------------------------------------


def test_a_reference_that_does_not_pass_is_told_and_its_mutants_are_not_played(
    goal: Proving,
) -> None:
    proof = goal(("closes: 3600", "closes: 10"))
    assert survived(proof) == ["reference", "accepted"]
    assert "too late" in proof.survivors[0].line
    assert not states(proof, "dropped")


def test_a_reference_that_changes_nothing_lets_nothing_be_told_from_something(
    goal: Proving,
) -> None:
    proof = goal(NOTHING_NET)
    assert {"nothing", "dropped", "failed"} <= set(survived(proof))
    # An offer must have been taken, so that what the user does alone is no help.
    assert "by_hand" not in survived(proof)


def test_a_text_without_required_facts_survives_blank(goal: Proving) -> None:
    proof = goal(('    facts: {content: [["{new:any_time}"]]}\n', ""))
    assert survived(proof) == ["blanked"]
    assert "facts.content" in proof.survivors[0].line


def test_a_text_that_is_free_is_not_blanked(goal: Proving) -> None:
    proof = goal(('facts: {content: [["{new:any_time}"]]}', "free: [content]"))
    assert survived(proof) == []
    assert not states(proof, "blanked")


def test_what_is_allowed_to_be_deleted_survives_though_it_is_listed(goal: Proving) -> None:
    proof = goal(("report:", "checks: {allowed: [reminder.delete]}\nreport:"))
    assert survived(proof) == ["extra"]
    assert "reminder.delete_reminder" in proof.survivors[0].line


def test_what_is_allowed_and_harmless_is_left_out(goal: Proving) -> None:
    proof = goal(("report:", "checks: {allowed: [reminder.create]}\nreport:"))
    extra = [trial for trial in proof.trials if trial.kind == "extra"]
    left = [t.mutant for t in extra if t.state == "left_out"]
    assert survived(proof) == []
    assert left == ["something new is made: reminder.add_reminder"]


def test_a_recipient_that_is_free_survives_being_another(goal: Proving) -> None:
    facts = '    facts: {content: [["{new:any_time}"]]}\n'
    proof = goal((facts, facts + "    free: [conversation_id]\n"))
    assert "wrong_object" in survived(proof)


NOTES = (
    ("apps: [reminder, email, messaging]", "apps: [reminder, email, messaging, notes]"),
    (
        "  messaging:\n",
        """  notes:
    notes:
      - {label: bags, title: Packing, content: tent and stove}
      - {label: songs, title: Singing, content: hey and ho}
  messaging:
""",
    ),
)
"""Two notes."""


def test_what_the_phone_fills_in_is_held_to_facts_as_well(
    goal: Proving, edited: Callable[..., Scenario]
) -> None:
    copy = '  - {tool: notes.duplicate_note, arguments: {note_id: "@bags"}%s}\nreport:'
    proof = goal(*NOTES, ("report:", copy % ""))
    assert survived(proof) == ["wrong_object"]
    mended = (*NOTES, ("report:", copy % ", facts: {content: [[tent]]}"))
    assert survived(goal(*mended)) == []
    assert not [p for p in check(edited(*mended), range(1)) if "facts" in str(p)]


def test_a_time_that_is_free_is_no_mutant(goal: Proving) -> None:
    old = 'arguments: {reminder_id: "@fetch", due_datetime: "{new}"}'
    proof = goal((old, f"{old}\n    free: [due_datetime]"))
    left = [t.mutant for t in proof.trials if t.kind == "wrong_object" and t.state == "left_out"]
    assert left == ["write 1 (reminder.update_reminder): another due_datetime"]


def test_a_verdict_without_consent_lets_the_unasked_survive(
    goal: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(*_: Any) -> Check:
        return Check(name="consent", passed=True)

    monkeypatch.setattr(verdict, "_consent", blind)
    assert survived(goal()) == ["no_consent"]


def test_what_has_no_recipe_cannot_be_done_by_hand(goal: Proving) -> None:
    call = "reminder.delete_all_reminders"
    old = 'reminder.update_reminder\n    arguments: {reminder_id: "@fetch", due_datetime: "{new}"}'
    proof = goal((old, call))
    (trial,) = [trial for trial in proof.trials if trial.kind == "by_hand"]
    assert (trial.state, trial.detail) == ("left_out", f"no recipe for {call}")


# --- the offer ----------------------------------------------------------------------------------


def test_a_user_who_accepts_everything_lets_every_offer_survive(goal: Proving) -> None:
    proof = goal(user=yes_man)
    assert survived(proof) == ["vague", "wrong", "unseen", "late"]


def test_a_wide_rubric_lets_a_wrong_offer_survive(goal: Proving) -> None:
    wide = ("act: [[move, change, set, shift], [tell]]\n  against: [delete]", "act: [[tell]]")
    proof = goal(wide)
    assert survived(proof) == ["wrong"]
    assert "wrong act" in proof.survivors[0].mutant


def test_a_topic_that_anything_touches_lets_the_vague_survive(goal: Proving) -> None:
    proof = goal(("against: [delete]", "against: [delete]\n  topic: [help]"))
    assert survived(proof) == ["vague"]


def test_a_wrong_offer_that_is_not_known_for_plausible_is_refused_unseen(goal: Proving) -> None:
    old = "Shall I move the reminder to buy milk to {new:time} and tell all?"
    proof = goal((old, "Shall I move the reminder to buy milk?"))
    assert survived(proof) == ["wrong"]
    assert "without a look" in proof.survivors[0].line


def test_a_reference_proposal_that_the_rubric_does_not_know_is_told(goal: Proving) -> None:
    proof = goal(("Shift the book's", "Put the book's"))
    assert "accepted" in survived(proof)


def test_without_needs_an_offer_is_taken_unseen(goal: Proving) -> None:
    proof = goal(("needs: [news, fetch.due_datetime]", "needs: []"))
    assert survived(proof) == ["unseen"]


def test_a_window_that_needs_do_not_tell_lets_the_early_survive(goal: Proving) -> None:
    proof = goal(
        ("    at: 4\n", "    when: {user_did: email.open_folder}\n    delay: 120\n"),
        (
            "habits: [{rest: 1}]",
            (
                "habits: [{rest: 2}, {do: {app: email, action: open_folder, arguments: "
                "{folder: SENT}}}, {rest: 3}]"
            ),
        ),
        ("needs: [news, fetch.due_datetime]", "needs: [fetch.due_datetime]"),
    )
    assert "early" in survived(proof)


def test_a_preview_that_says_it_all_survives(goal: Proving) -> None:
    proof = goal(("subject: Library", 'subject: "The book, {new:time}"'))
    assert survived(proof) == ["preview"]


# --- silence ------------------------------------------------------------------------------------


def test_a_user_who_accepts_everything_lets_bait_survive(quiet: Proving) -> None:
    proof = quiet(user=yes_man)
    assert survived(proof) == ["bait"]
    assert len([t for t in proof.trials if t.kind == "bait"]) == 3 * 10


def test_a_phone_that_takes_writes_without_a_grant_survives(
    quiet: Proving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Grants, "check", lambda *_: None)
    assert survived(quiet()) == ["write"]


@pytest.mark.parametrize(("passes", "left"), [(True, ["bait"]), (False, ["silence"])])
def test_a_verdict_that_does_not_see_silence_is_told(
    quiet: Proving, monkeypatch: pytest.MonkeyPatch, passes: bool, left: list[str]
) -> None:
    monkeypatch.setattr(verdict, "_silence", lambda *_: Check(name="silence", passed=passes))
    assert survived(quiet()) == left


# --- files --------------------------------------------------------------------------------------


def test_a_scenario_whose_reference_cannot_be_played_is_an_error(goal: Proving) -> None:
    proof = goal(('reminder_id: "@fetch"', 'reminder_id: "r77"'))
    assert proof.error is not None
    assert "reference" in proof.error
    assert not proof.survivors
