"""verifiers' own evaluation rewards a model that knows the reference solution; splits and wrong options."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from longtrail_verifiers.taskset import LongtrailConfig, LongtrailTaskset
from pydantic import ValidationError
from verifiers.v1.cli.eval.main import main

from longtrail.environment.cases import suite_cases
from longtrail.environment.episode import reference_actions
from longtrail.llm.mock.scripted_model import ScriptedAnswer
from longtrail.llm.mock.server import MockServer


def evaluated(folder: Path, suite: str, texts: list[str], *options: str) -> list[dict[str, Any]]:
    """The episodes of a suite's first task, with a model that gives these answers."""

    def answer(model: str, body: dict[str, Any]) -> ScriptedAnswer:
        asked = sum(message["role"] == "user" for message in body["messages"])
        return ScriptedAnswer(texts[asked - 1])

    words = ["longtrail-verifiers", "--env.taskset.suite", suite, "-n", "1", "-m", "scripted", "--no-push", "--no-rich"]
    with MockServer(answer=answer) as server:
        words += ["--client.base-url", server.url, "-o", str(folder), "--run.name", "run"]
        main([*words, *options])
    episodes = [json.loads(line) for line in (folder / "run" / "traces.jsonl").read_text().splitlines()]
    assert all(episode["ok"] for episode in episodes), [episode["errors"] for episode in episodes]
    return episodes


@pytest.mark.parametrize(
    ("suite", "split", "reward"),
    [("reddit", "test", "proven"), ("shopping_admin", "train", "proven"), ("discovered", "test", "success")],
)
def test_the_reference_solution_is_rewarded(tmp_path: Path, suite: str, split: str, reward: str) -> None:
    variant = 100_000 if split == "train" else None
    planned = next(iter(suite_cases(suite, variant=variant).values()))
    texts = [json.dumps({"action": action.model_dump(mode="json")}) for action in reference_actions(planned)]
    (episode,) = evaluated(tmp_path, suite, texts, "--env.taskset.split", split)
    (trace,) = episode["traces"]
    assert trace["rewards"] == {reward: {"score": 1.0, "weight": 1.0}}
    assert trace["info"]["longtrail"]["outcome"] == "passed"
    assert episode["task"]["data"].get("variant") == variant


def test_a_group_of_rollouts_of_one_task_and_an_answer_without_an_action(tmp_path: Path) -> None:
    decide = {"type": "decide", "decision": "APPROVE", "justification": "So."}
    texts = ["I would look around.", json.dumps(decide)]
    episodes = evaluated(tmp_path, "reddit", texts, "--env.taskset.split", "test", "-r", "2")
    assert len(episodes) == 2
    for episode in episodes:
        assert episode["traces"][0]["rewards"]["proven"]["score"] == 0.0
        assert "it holds no JSON object with an action" in json.dumps(episode)


def test_training_goes_on_without_end_and_tests_do_not() -> None:
    train = LongtrailTaskset(LongtrailConfig(suite="discovered"))
    count = len(suite_cases("discovered"))
    assert not train.bounded
    variants = [task.data.variant for task in islice(train, count + 1)]
    assert variants == [100_000] * count + [100_001]
    test = LongtrailTaskset(LongtrailConfig(suite="discovered", split="test"))
    assert test.bounded
    assert {task.data.variant for task in test} == {None}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"variant": 7}, "variant=7 is not for split='train'"),
        ({"suite": "redit"}, "did you mean reddit"),
        ({"prompt": "loud"}, "expected one of raw, hint, explicit"),
    ],
)
def test_wrong_options_are_refused_in_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        LongtrailConfig(**options)


def test_the_command_line_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["longtrail-verifiers", "--env.taskset.suite", "redit", "-n", "1"])
    said = f"{ended.value}{''.join(capsys.readouterr())}"
    assert ended.value.code
    assert "did you mean reddit" in said
    assert "Traceback" not in said
