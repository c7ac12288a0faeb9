"""The generator's pipeline on a scripted model: from the first prompt to the review queue."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from heron.errors import Fault, InputError, ModelFault, RemoteFault
from heron.models.scripted import ChatRequest, ScriptedChatModel
from heron.scenarios.check import check
from heron.scenarios.document import Problem, parse
from heron.scenarios.generator.answers import STAGES, StageName, schema_of
from heron.scenarios.generator.examples import example, example_scenarios
from heron.scenarios.generator.journal import Journal
from heron.scenarios.generator.judging import Known, findings, wrong_form
from heron.scenarios.generator.pipeline import Draft, Limits, Prove, Told, Writing
from heron.scenarios.generator.prompts import messages
from heron.scenarios.generator.request import Request, draw
from heron.scenarios.loader import load_document
from heron.scenarios.schema import Scenario, ScenarioType

TYPES: tuple[ScenarioType, ...] = ("goal", "quiet", "restraint")


def sound(_: Scenario) -> Sequence[Problem]:
    """A proof without survivors."""
    return ()


def request_of(type_: ScenarioType = "goal") -> Request:
    """What the examples are an answer to: they begin before 18:00."""
    return draw(0, 1, type_=type_).model_copy(update={"starts": ("2026-03-24 17:30",) * 3})


def texts(type_: ScenarioType = "goal") -> list[str]:
    """The example's answers, as a model writes them."""
    return [json.dumps(example(type_)[stage]) for stage in STAGES]


def changed(stage: StageName, **values: Any) -> str:
    """An answer of the example with other values."""
    return json.dumps({**example("goal")[stage], **values})


Make = Callable[..., Draft]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Let a scripted model write one scenario, with a journal in the test's folder."""

    def run(
        script: Sequence[Any] | ScriptedChatModel,
        *,
        request: Request | None = None,
        known: Known | None = None,
        prove: Prove = sound,
        repairs: int = 2,
        told: Callable[[Told], None] = lambda _: None,
    ) -> Draft:
        model = script if isinstance(script, ScriptedChatModel) else ScriptedChatModel(script)
        asked = request or request_of()
        head = {
            "model": "scripted",
            "request": asked.model_dump(mode="json"),
            "heron": "0",
            "date": "2026-11-30",
        }
        journal = Journal(tmp_path / "journal.jsonl", head)
        limits = Limits(repairs=repairs)
        return Writing(
            asked, model, journal, known or Known(), prove, limits=limits, told=told
        ).finish()

    return run


def lines_of(folder: Path) -> list[dict[str, Any]]:
    """The journal's lines."""
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


# --- examples -----------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", TYPES)
def test_each_stage_of_the_examples_is_what_its_schema_asks_for_and_sound(
    type_: ScenarioType,
) -> None:
    request = request_of(type_)
    answers: dict[StageName, Any] = {}
    for stage in STAGES:
        tight = schema_of(stage, request, answers, tight=True)
        jsonschema.validate(example(type_)[stage], tight)
        assert wrong_form(stage, example(type_)[stage], request, answers) == []
        answers[stage] = example(type_)[stage]
        assert findings(request, answers, Known()) == []
    assert [s.type for s in example_scenarios()] == list(TYPES)


def test_every_object_of_the_schemas_is_closed_and_asks_for_all() -> None:
    """As providers demand of strict schemas."""

    def objects(node: Any) -> list[dict[str, Any]]:
        if isinstance(node, list):
            return [found for item in node for found in objects(item)]
        if not isinstance(node, dict):
            return []
        own = [node] if node.get("type") == "object" else []
        return [*own, *(found for value in node.values() for found in objects(value))]

    for stage in STAGES:
        found = objects(schema_of(stage, request_of(), example("goal")))
        assert found
        for one in found:
            assert one["additionalProperties"] is False
            assert one["required"] == list(one["properties"])


# --- success ------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", TYPES)
def test_a_scenario_is_written_and_says_where_it_comes_from(
    type_: ScenarioType, make: Make
) -> None:
    draft = make(texts(type_), request=request_of(type_))
    assert (draft.state, draft.reasons, draft.survivors) == ("ready", (), ())
    assert draft.text is not None
    scenario = load_document(parse(draft.text))
    assert check(scenario) == []
    came = scenario.provenance
    assert came is not None
    assert (came.model, came.seed, came.number, came.heron) == ("scripted", 0, 1, "0")
    assert (came.date, came.repairs, len(came.prompt)) == ("2026-11-30", {}, 64)


def test_each_stage_is_asked_under_its_schema_and_told_what_was_written(make: Make) -> None:
    model = ScriptedChatModel(texts())
    make(model)
    assert len(model.requests) == len(STAGES)
    answers: dict[StageName, Any] = {}
    for stage, asked in zip(STAGES, model.requests, strict=True):
        assert asked.schema == schema_of(stage, request_of(), answers, tight=True)
        answers[stage] = example("goal")[stage]
    assert "@outing (calendar.events)" in str(model.requests[3].messages)
    assert "calendar.edit_calendar_event(" in str(model.requests[4].messages)


def test_a_remote_model_is_held_to_the_form_alone(make: Make) -> None:
    """Providers differ in the patterns that they can hold; the loader tells what is wrong."""
    model = ScriptedChatModel(texts(), remote=True)
    make(model)
    assert model.requests[4].schema != schema_of(
        "solution", request_of(), example("goal"), tight=True
    )
    assert model.requests[4].schema == schema_of("solution", request_of(), example("goal"))


def test_what_is_not_there_cannot_be_named() -> None:
    """A solution that names another record than an event, or another slot than a time."""
    schema = schema_of("solution", request_of(), example("goal"), tight=True)
    jsonschema.validate(example("goal")["solution"], schema)
    for old, new in (("@outing", "@lift"), ('"{later}"', '"{wait}"'), ("{goods}", "{gods}")):
        text = texts()[4]
        assert old in text
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(json.loads(text.replace(old, new)), schema)


def test_mails_go_to_people_that_there_are() -> None:
    request = request_of().model_copy(update={"kind": "scheduling"})
    step = {
        "call": "email.send_email",
        "arguments": [
            {"name": "recipients", "value": ["{friend.email}"]},
            {"name": "subject", "value": "Tonight"},
            {"name": "content", "value": "See you at {later:time}, {friend.first_name}."},
        ],
        "facts": [],
    }
    schema = schema_of("solution", request, example("goal"), tight=True)
    jsonschema.validate({**example("goal")["solution"], "steps": [step]}, schema)
    for wrong in (["@friend_chat"], ["{stranger.email}"], ["friend"]):
        arguments: Any = [{"name": "recipients", "value": wrong}, *step["arguments"][1:]]
        other = {**example("goal")["solution"], "steps": [{**step, "arguments": arguments}]}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(other, schema)


def test_the_same_seed_asks_the_same_and_another_asks_otherwise() -> None:
    assert draw(3, 2) == draw(3, 2)
    assert len({draw(3, number).model_dump_json() for number in range(20)}) == 20
    given = draw(3, 2, kind="lateness", locale="de_DE")
    assert (given.type, given.kind, given.locale) == ("goal", "lateness", "de_DE")
    assert given.setting == draw(3, 2).setting
    prompt = messages("idea", given, {}, ["One about trains."])
    assert "One about trains." in str(prompt)


@pytest.mark.parametrize(
    "given", [{"kind": "lateniss"}, {"locale": "xx"}, {"kind": "joke", "type_": "goal"}]
)
def test_what_cannot_be_asked_for_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"known:|no kind of goal"):
        draw(0, 1, **given)


# --- repair -------------------------------------------------------------------------------------


def test_a_bad_stage_is_sent_back_with_its_findings(make: Make) -> None:
    steps: list[Told] = []
    idea, slots, phone, events, solution, offers = texts()
    wrong_steps = json.loads(solution)
    wrong_steps["steps"][0]["arguments"][0]["value"] = "@outign"
    model = ScriptedChatModel(
        [idea, slots, phone, events, json.dumps(wrong_steps), solution, offers]
    )
    draft = make(model, told=steps.append)
    assert draft.state == "ready"
    assert draft.repairs == {"solution": 1}
    sent = model.requests[5].messages
    assert sent[-2] == {"role": "assistant", "content": json.dumps(wrong_steps)}
    assert "step 1, arguments.event_id" in str(sent[-1])
    assert "'outing'" in str(sent[-1])
    assert [step.findings for step in steps] == [0, 0, 0, 0, 1, 0, 0, 0]


def test_an_answer_of_another_form_is_sent_back(make: Make) -> None:
    idea, *rest = texts()
    model = ScriptedChatModel(["no JSON", json.dumps({"id": "x"}), idea, *rest])
    draft = make(model)
    assert draft.state == "ready"
    assert draft.repairs == {"idea": 2}
    assert "no JSON object" in str(model.requests[1].messages[-1])
    assert "'summary' is a required property" in str(model.requests[2].messages[-1])


def test_a_later_stage_can_bring_an_earlier_one_to_light(make: Make) -> None:
    """The subject gives the matter away, which shows only with the facts of the solution."""
    idea, slots, phone, events, solution, offers = texts()
    told = json.loads(events)
    told["news"]["arguments"][1]["value"] = "{later:time} {friend.first_name}"
    draft = make([idea, slots, phone, json.dumps(told), solution, events, offers])
    assert draft.state == "ready"
    assert draft.repairs == {"events": 1}


def test_what_survives_the_proof_is_sent_back_and_the_best_is_kept(make: Make) -> None:
    verdicts = [
        [Problem(("rubric", "act"), "it survives"), Problem(("reference", 0), "so does it")],
        [Problem(("rubric", "act"), "it survives")],
        [Problem(("rubric", "act"), "it survives"), Problem(("user",), "and more")],
    ]
    better = changed("offers", topic=["kiln", "pottery"])
    worse = changed("offers", topic=["kiln"])
    idea, slots, phone, events, solution, offers = texts()
    again = changed("solution", closes_minutes=60)
    script = [idea, slots, phone, events, solution, offers, again, better, worse]
    draft = make(script, prove=lambda _: verdicts.pop(0) if verdicts else [], repairs=1)
    assert draft.state == "ready"
    assert draft.survivors == ("rubric.act: it survives",)
    assert draft.repairs == {"solution": 1}


def test_a_repair_that_breaks_a_proved_one_does_not_lose_it(make: Make) -> None:
    idea, slots, phone, events, solution, offers = texts()
    script = [idea, slots, phone, events, solution, offers, "{}", "[]"]
    draft = make(script, prove=lambda _: [Problem(("rubric",), "it survives")])
    assert draft.state == "ready"
    assert draft.survivors == ("rubric: it survives",)
    assert draft.text is not None
    assert check(load_document(parse(draft.text))) == []


# --- giving up ----------------------------------------------------------------------------------


def test_it_gives_up_after_its_repairs_and_says_why(make: Make, tmp_path: Path) -> None:
    bad = [changed("phone", records=[record] * 2) for record in _stray_records()]
    draft = make([*texts()[:2], *bad])
    assert draft.state == "failed"
    assert draft.stage == "phone"
    assert any(reason.startswith("phone: ") for reason in draft.reasons)
    assert draft.text is not None
    assert len(lines_of(tmp_path)) == 6


def _stray_records() -> list[dict[str, Any]]:
    fields = [{"name": "title", "value": "X"}]
    return [
        {"table": "calendar.events", "label": label, "fields": fields} for label in ("a", "b", "c")
    ]


def test_the_same_answer_again_is_the_end(make: Make) -> None:
    draft = make(["no JSON", "no JSON"], repairs=9)
    assert draft.state == "failed"
    assert draft.id is None
    assert draft.text is None
    assert "no JSON object" in draft.reasons[0]


def test_an_answer_that_does_not_end_counts_as_a_bad_one(make: Make) -> None:
    fault: Fault = ModelFault("no complete JSON within 2048 tokens")
    draft = make([fault, *texts()])
    assert draft.state == "ready"
    assert draft.repairs == {"idea": 1}


def test_an_answer_with_half_a_character_is_sent_back(make: Make) -> None:
    idea, *rest = texts()
    draft = make([idea.replace("kiln cools", "kiln \\ud800"), idea, *rest])
    assert draft.repairs == {"idea": 1}


def test_a_near_duplicate_is_refused(make: Make) -> None:
    known = Known()
    known.learn(example_scenarios()[0], "the example")
    known.ids.clear()
    model = ScriptedChatModel(texts())
    draft = make(model, known=known)
    assert draft.state == "failed"
    assert len(model.requests) == 4, "what is a copy by its phone and events is not finished"
    assert draft.reasons == (
        "idea: near-duplicate of the example: 100% of its runs of words are the same",
    )


def test_what_leaves_later_stages_without_a_choice_is_sent_back(make: Make) -> None:
    slots = texts()[1]
    mute = changed("idea", apps=["calendar", "reminder"])
    alone = changed("phone", records=example("goal")["phone"]["records"][:1] * 2)
    by_chat = changed("idea", apps=["calendar", "messaging"])
    model = ScriptedChatModel([mute, by_chat, slots, alone, RemoteFault("enough")])
    with pytest.raises(RemoteFault):
        make(model)
    assert "none of the apps brings news" in str(model.requests[1].messages[-1])
    assert "nobody can send news" in str(model.requests[4].messages[-1])


def test_a_field_that_is_given_twice_is_sent_back(make: Make) -> None:
    """In the file one of the two would be lost without a word."""
    idea, slots, phone, events, *rest = texts()
    twice = json.loads(events)
    twice["news"]["arguments"].append({"name": "subject", "value": "Another one"})
    draft = make([idea, slots, phone, json.dumps(twice), events, *rest])
    assert draft.repairs == {"events": 1}


def test_only_who_was_refused_has_refused() -> None:
    asked = request_of("restraint").model_copy(update={"kind": "turned_down"})
    for request, there in ((asked, True), (request_of("goal"), False)):
        schema = schema_of("events", request, example(request.type))
        assert ("assistant.turned_down" in str(schema)) is there


def test_an_id_that_is_taken_is_sent_back(make: Make) -> None:
    known = Known(ids={"kiln_cools_longer"})
    idea, *rest = texts()
    draft = make([idea, changed("idea", id="kiln_needs_patience"), *rest], known=known)
    assert (draft.state, draft.id) == ("ready", "kiln_needs_patience")


# --- resuming -----------------------------------------------------------------------------------


@pytest.mark.parametrize("done", range(len(STAGES) + 1))
def test_a_killed_making_goes_on_where_it_stopped(done: int, make: Make, tmp_path: Path) -> None:
    """A kill at each stage boundary: the script ends there as the process would."""
    whole = texts()
    if done < len(STAGES):
        with pytest.raises(RemoteFault):
            make([*whole[:done], RemoteFault("gone")])
    else:
        make(whole)
    model = ScriptedChatModel(whole[done:])
    draft = make(model)
    assert draft.state == "ready"
    assert len(model.requests) == len(STAGES) - done
    assert len(lines_of(tmp_path)) == 1 + len(STAGES)


def test_repairs_are_played_back_as_well(make: Make) -> None:
    idea, slots, *rest = texts()
    script = ["no JSON", idea, slots]
    with pytest.raises(RemoteFault):
        make([*script, RemoteFault("gone")])
    draft = make(rest)
    assert draft.state == "ready"
    assert draft.repairs == {"idea": 1}


@pytest.mark.parametrize("torn", ['{"stage": "ph', '{"stage": "phone", "answer": "{}"}'])
def test_a_torn_last_line_is_mended(torn: str, make: Make, tmp_path: Path) -> None:
    idea, slots, *rest = texts()
    with pytest.raises(RemoteFault):
        make([idea, RemoteFault("gone")])
    file = tmp_path / "journal.jsonl"
    with file.open("a") as out:
        out.write(torn)
    model = ScriptedChatModel([slots, *rest])
    assert make(model).state == "ready"
    assert len(lines_of(tmp_path)) == 1 + len(STAGES)


def test_a_journal_of_other_prompts_is_cut_off_where_it_parts(make: Make, tmp_path: Path) -> None:
    make(texts())
    file = tmp_path / "journal.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    other = json.loads(lines[3])
    other["prompt"] = "0" * 64
    file.write_text("".join([*lines[:3], json.dumps(other) + "\n", *lines[4:]]))
    model = ScriptedChatModel(texts()[2:])
    assert make(model).state == "ready"
    assert len(model.requests) == 4
    again = lines_of(tmp_path)
    assert [line.get("stage") for line in again] == [None, *STAGES]
    assert again[3]["prompt"] == json.loads(lines[3])["prompt"]


def test_a_journal_of_another_request_is_refused(make: Make) -> None:
    make(texts())
    with pytest.raises(InputError, match="it was begun with request"):
        make(texts(), request=request_of().model_copy(update={"locale": "es_ES"}))


def test_a_journal_is_no_other_file(make: Make, tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").write_text("hello\n")
    with pytest.raises(InputError, match="no journal"):
        make(texts())


def test_a_fault_of_the_network_ends_the_run_and_leaves_the_journal(
    make: Make, tmp_path: Path
) -> None:
    def fails(_: ChatRequest) -> str:
        raise RemoteFault("no route")

    with pytest.raises(RemoteFault, match="no route"):
        make([texts()[0], fails])
    assert len(lines_of(tmp_path)) == 2
