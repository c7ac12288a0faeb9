"""Decision points: their two formats, how a model is asked, and what judgements add up to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heron.contracts import StepCost
from heron.errors import InputError, ModelFileError
from heron.eval.judging import asking
from heron.eval.judging.answerers import ModelAnswerer, answerer_of
from heron.eval.judging.judge import Judgement, JudgementStore, judge
from heron.eval.judging.points import DecisionPoint, read_points, write_points
from heron.eval.judging.results import results

DOCUMENT = Path(__file__).parents[2] / "docs/decision-points.md"
PARE = Path(__file__).parents[3] / "shared/data/pare_decision_points.jsonl"


def point(name: str = "p1", said: str = "accept", **more: Any) -> DecisionPoint:
    return DecisionPoint.model_validate(
        {
            "point_id": name,
            "scenario": f"of {name}",
            "user": "a person",
            "observer": "a model",
            "context": [{"turn": 1, "notifications": ["email, Library: The book is back"]}],
            "proposal": said,
            "decision": "accept",
            **more,
        }
    )


def pare(**more: Any) -> dict[str, Any]:
    """A sample of our own in PARE's format."""
    action = {"action": "Mail__open(id='m1')", "observation": "Opened.", "timestamp": 1.0}
    blind = {"action": "System__go_home()", "observation": "No observation recorded."}
    return {
        "sample_id": "s1",
        "scenario_id": "library_run",
        "run_number": 1,
        "proactive_model_id": "small",
        "user_model_id": "large",
        "user_agent_decision": True,
        "agent_proposal": "Shall I renew the book?",
        "meta_task_description": "Renew the book.\n",
        "decision_timestamp": 2.0,
        "context": {
            "turns": [
                {"turn_number": 1, "notifications": ["Mail: due"], "actions": [action, blind]}
            ]
        },
        **more,
    }


def written(folder: Path, *lines: object) -> Path:
    file = folder / "points.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    file.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return file


# --- files ---


def test_points_come_back_as_they_were_written(tmp_path: Path) -> None:
    points = (point(), point("p2", goal="Grüße\u2028an alle", reason="because"))
    assert write_points(tmp_path / "points.jsonl", points) == 2
    assert read_points(tmp_path / "points.jsonl") == (points, ())


def test_pares_format_is_read(tmp_path: Path) -> None:
    (read,), bad = read_points(written(tmp_path, pare(user_agent_decision=False)))
    assert bad == ()
    assert (read.point_id, read.user, read.observer) == ("s1", "large", "small")
    assert (read.decision, read.goal, read.replay) == ("reject", "Renew the book.", None)
    assert [(s.action, s.result) for s in read.context[0].steps] == [
        ("Mail__open(id='m1')", "Opened."),
        ("System__go_home()", ""),
    ]


def test_the_example_in_the_document_is_one(tmp_path: Path) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    example = text.partition("```json\n")[2].partition("```")[0]
    (read,), bad = read_points(written(tmp_path, example))
    assert bad == ()
    assert read.context[-1].steps == ()


def test_bad_lines_are_told_by_number_and_the_others_read(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        point().model_dump(mode="json"),
        "{broken",
        "",
        "[1]",
        {**point("p2").model_dump(mode="json"), "decision": "perhaps"},
        pare(user_agent_decision="yes"),
        point().model_dump(mode="json"),
        {k: v for k, v in pare(sample_id="s2").items() if k != "context"},
        pare(sample_id="s3"),
    )
    points, bad = read_points(file)
    assert [p.point_id for p in points] == ["p1", "s3"]
    assert [(line.number, line.problem.partition(":")[0]) for line in bad] == [
        (2, "no JSON"),
        (4, "not a JSON object"),
        (5, "decision"),
        (6, "user_agent_decision"),
        (7, "a point 'p1' stands above already"),
        (8, "context"),
    ]
    assert len(read_points(file, limit=1).points) == 1


def test_a_file_that_is_not_there_or_no_text_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_points(tmp_path / "missing.jsonl")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_points(tmp_path / "binary")


def test_the_published_points_of_pare_are_read() -> None:
    if not PARE.is_file():
        pytest.skip("the decision points of PARE do not lie beside the checkout")
    points, bad = read_points(PARE)
    assert (len(points), bad) == (25, ())
    assert sum(p.decision == "accept" for p in points) == 13
    assert all(p.context and p.proposal in "\n".join(asking_text(p)) for p in points)


# --- asking ---


def asking_text(asked: DecisionPoint) -> list[str]:
    return [str(message["content"]) for message in asking.messages(asked)]


def test_a_model_reads_the_moment_and_nothing_that_was_decided(tmp_path: Path) -> None:
    asked = point(
        goal="Get the book.",
        reason="SECRET",
        context=[
            {
                "turn": 1,
                "screen": ["email, Mailbox", "Library: back"],
                "notifications": ["one\ntwo"],
            },
            {"turn": 2, "steps": [{"action": "email.open()", "result": "no\nsuch mail"}]},
        ],
    )
    system, text = asking_text(asked)
    assert all(option in system for option in asking.OPTIONS)
    for part in (
        "What you are after: Get the book.",
        "  notification: one\n  notification: two",
        "on the screen: email, Mailbox / Library: back",
        "you: email.open() → no such mail",
        asked.proposal,
    ):
        assert part in text
    assert "SECRET" not in text
    assert asked.user not in text


@pytest.mark.parametrize(
    ("text", "decision", "reason"),
    [
        ('{"decision": "accept", "reason": "it\\n helps"}', "accept", "it helps"),
        ('Sure!\n```json\n{"decision": "gather_context"}\n```', "gather_context", ""),
    ],
)
def test_an_answer_is_found_in_a_models_text(text: str, decision: str, reason: str) -> None:
    assert asking.read(text) == (decision, reason, None)


@pytest.mark.parametrize("text", ["", "accept", "{accept}", '{"decision": "ACCEPT"}', "[]", "{}"])
def test_an_answer_that_cannot_be_understood_is_none(text: str) -> None:
    said = asking.read(text)
    assert said.decision is None
    assert said.problem
    assert "\n" not in said.problem


def test_a_user_that_cannot_judge_is_refused_in_one_line() -> None:
    for spec, told in (
        ("scripted", "no point here names a Heron scenario"),
        ("nobody", "no user 'nobody' answers"),
        ("litellm:", "names no model"),
        ("gguf:smollm3", "smollm3"),
    ):
        with pytest.raises(InputError, match=told) as error:
            answerer_of(spec, [point()])
        assert "\n" not in str(error.value)


# --- judging ---


@pytest.fixture
def fake() -> Iterator[ModelAnswerer]:
    answerer = ModelAnswerer("gguf:fake", threads=1, window=512, module="tests.eval.fake_judge")
    yield answerer
    answerer.close()


def test_a_process_answers_and_one_that_dies_is_a_fault_and_started_again(
    fake: ModelAnswerer,
) -> None:
    said = ["accept it helps", "perhaps", "fault", "die", "gather_context"]
    done = [judge(point(f"p{n}", text), "gguf:fake", fake) for n, text in enumerate(said)]
    assert [(j.said, j.fault) for j in done] == [
        ("accept", False),
        (None, False),
        (None, True),
        (None, True),
        ("gather_context", False),
    ]
    assert done[0].reason == "it helps"
    assert done[0].usage.tokens_in == 100
    assert "no such decision" in str(done[1].problem)
    assert "not numbers" in str(done[2].problem)
    assert "SIGKILL" in str(done[3].problem)
    assert fake.memory().anonymous
    figures = results(done)
    assert (figures["answered"], figures["invalid"], figures["faults"]) == (2, 1, 2)
    assert figures["costs"]["tokens_in"] == 300
    assert figures["costs"]["cpu_s"]["total"] == pytest.approx(0.75)


def test_a_model_that_cannot_be_loaded_is_told_before_the_first_point() -> None:
    with pytest.raises(ModelFileError, match="no such file"):
        ModelAnswerer("gguf:missing", threads=1, window=512, module="tests.eval.fake_judge")


def judgement(
    recorded: str, said: str | None, name: str = "p", *, fault: bool = False, **more: Any
) -> Judgement:
    return Judgement.model_validate(
        {
            "judge": "gguf:x",
            "point_id": name,
            "point": name,
            "scenario": name,
            "user": "a",
            "observer": "b",
            "recorded": recorded,
            "said": said,
            "fault": fault,
            "cost": StepCost(wall_s=1.0, cpu_s=1.0),
            **more,
        }
    )


def test_looking_first_is_counted_apart_where_the_record_knows_only_yes_and_no() -> None:
    done = [judgement("accept", "accept", f"a{n}") for n in range(4)]
    done += [judgement("reject", "reject", f"r{n}") for n in range(2)]
    done += [judgement("reject", "accept", f"w{n}") for n in range(2)]
    done += [judgement("accept", "gather_context", "g"), judgement("reject", None, "i")]
    figures = results(done, draws=100)
    assert (figures["gathered"], figures["invalid"]) == (1, 1)
    assert figures["yes_or_no"]["n"] == 8
    assert figures["yes_or_no"]["accuracy"] == pytest.approx(0.75)
    assert figures["yes_or_no"]["kappa"] == pytest.approx(0.5)
    assert figures["yes_or_no"]["kappa_interval"]["low"] < 0.5
    assert figures["three_answers"] is None
    assert figures["confusion"]["accept"] == {
        "accept": 4,
        "reject": 0,
        "gather_context": 1,
        "ignore": 0,
        "invalid": 0,
        "fault": 0,
    }


def test_looking_first_is_an_answer_where_the_record_knows_it() -> None:
    done = [judgement("gather_context", "gather_context", "a"), judgement("accept", "accept", "b")]
    done += [judgement("reject", "ignore", "c")]
    figures = results(done, draws=50)
    assert figures["three_answers"]["n"] == 3
    assert figures["three_answers"]["accuracy"] == pytest.approx(2 / 3)
    assert figures["yes_or_no"]["n"] == 1
    assert figures["yes_or_no"]["kappa"] is None
    assert figures["yes_or_no"]["kappa_reason"]


def test_groups_are_of_the_record_not_of_the_judge() -> None:
    done = [
        judgement("accept", "reject", "a", user="u1", observer="o2"),
        judgement("accept", "accept", "b", user="u2", observer="o1"),
    ]
    figures = results(done, draws=10)
    assert [(g["name"], g["accuracy"]) for g in figures["by_user"]] == [("u1", 0), ("u2", 1)]
    assert [(g["name"], g["said_accept"]) for g in figures["by_observer"]] == [("o1", 1), ("o2", 0)]


def test_a_store_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file, one, two = tmp_path / "judged.jsonl", point("p1"), point("p2")
    kept = judgement("accept", "reject", point=one.digest)
    with JudgementStore(file) as store:
        assert store.of(one, "gguf:x") is None
        store.append(kept)
        store.append(judgement("accept", None, fault=True, point=two.digest))
    with file.open("ab") as torn:
        torn.write(b'{"version":1,"judge":"gguf:x","poi')
    with JudgementStore(file) as store:
        assert store.of(one, "gguf:x") == kept
        assert store.of(one, "gguf:y") is None
        assert store.of(point("p1", goal="another"), "gguf:x") is None
        assert store.of(two, "gguf:x") is None
        store.append(judgement("accept", "accept", point=two.digest))
    assert len(file.read_text().splitlines()) == 3
    with JudgementStore(file) as store:
        assert store.of(two, "gguf:x") is not None


@pytest.mark.parametrize("text", ["my notes\n", "my notes", '{"version":1,"judge":"x"}\n'])
def test_a_store_leaves_another_file_alone(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(text)
    with pytest.raises(InputError, match=r"notes.txt:1: no judgement"):
        JudgementStore(file)
    assert file.read_text() == text
