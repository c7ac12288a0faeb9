"""The prompt is in the very form that is used, and settings know which prompt they are for."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator

from heron.contracts import PROPOSAL_LENGTH
from heron.observer.decide import OPTIONS
from heron.observer.prompt import Prompt, ordinary, prompt
from heron.observer.settings import GgufSettings, settings_for, table


def test_every_answer_begins_with_its_word_and_two_thirds_wait_or_look() -> None:
    firsts = [answer.split(" ")[0] for _, answer in prompt().examples]
    assert set(firsts) == set(OPTIONS)
    assert firsts[-1] == "wait"
    assert firsts.count("propose") <= len(firsts) / 3


def test_worded_answers_have_the_form_they_are_held_to() -> None:
    shown: set[str] = set()
    for seen, answer in prompt().examples:
        shown |= set(seen.replace("\n", " ").split(" "))
        word, _, body = answer.partition(" ")
        if word == "look":
            assert list(json.loads(body)) == ["tool", "args"]
        elif word == "propose":
            said = json.loads(body)
            assert list(said) == ["refs", "plan", "text"]
            assert set(said["refs"]) <= shown
            assert 0 < len(said["text"]) <= PROPOSAL_LENGTH
            assert body == json.dumps(said, separators=(",", ":"))
        else:
            assert answer == "wait"


def test_the_examples_begin_and_end_like_an_episode() -> None:
    assert prompt().examples[0][0].startswith("Mon 2026-05-04 07:41 phone of ")
    assert ordinary()[0].split(" phone of ")[0] == "Wed 2026-05-06 08:00"


def test_the_digest_names_the_words() -> None:
    one = prompt()
    assert one.digest == Prompt(one.system, one.examples).digest
    assert one.digest != Prompt(one.system + " ", one.examples).digest


def test_the_version_names_prompt_and_settings() -> None:
    assert GgufSettings().version == GgufSettings().version
    assert GgufSettings().version != GgufSettings(contrast=True).version


def test_the_defaults_were_measured_under_this_prompt() -> None:
    """Whoever changes the prompt measures again: the command stands in the file."""
    assert table()["prompt"] == prompt().digest
    assert table()["command"].startswith("python -m ")
    for name, row in table()["models"].items():
        settings = GgufSettings.model_validate(row["settings"])
        assert settings_for(name) == settings
        assert settings_for(f"/somewhere/{name}.gguf") == settings


def test_an_unknown_model_gets_the_defaults() -> None:
    assert settings_for("/somewhere/other.gguf") == GgufSettings()


def test_settings_survive_their_own_json() -> None:
    schema = GgufSettings.model_json_schema()
    dumped = json.loads(GgufSettings().model_dump_json())
    assert Draft202012Validator(schema).is_valid(dumped)
    assert GgufSettings.model_validate(dumped) == GgufSettings()
