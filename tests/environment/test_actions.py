"""The actions as tools: schemas without references, and calls that don't fit."""

import json

import pytest

from longtrail.environment.cases import move_of, suite_cases, tools_of
from longtrail.errors import UsageError
from longtrail.records.action import Fill
from longtrail.tasks.loading import load_tasks


def test_what_there_is_to_decide_has_a_tool_for_it() -> None:
    by_suite = {task.suite: tuple(tool.name for tool in tools_of(task)) for task in load_tasks().values()}
    assert by_suite["reddit"][-2:] == ("finish", "decide")
    assert by_suite["long_context"][-1] == "finish"


def test_schemas_stand_alone() -> None:
    (task,) = (task for task in load_tasks().values() if task.id == "PW-014")
    tools = {tool.name: tool for tool in tools_of(task)}
    assert '"$ref"' not in json.dumps(tools)
    evidence = tools["decide"].parameters["properties"]["evidence"]["items"]
    assert evidence["required"] == ["source", "quote"]
    assert "ticket" not in tools["decide"].parameters["properties"]
    assert all(field["description"] for tool in tools.values() for field in tool.parameters["properties"].values())
    assert tools["fill"].parameters["required"] == ["id", "text"]


def test_a_call_that_does_not_fit_is_a_move_without_an_action() -> None:
    assert move_of("fill", {"id": "3", "text": "a"}).action == Fill(id="3", text="a")
    move = move_of("fill", {"id": "3", "words": "a"})
    assert move.action is None
    assert "fill lacks the field `text`" in move.problem


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"suite": "shoping_admin"}, "did you mean shopping_admin"),
        ({"suite": "reddit", "prompt": "loud"}, "prompt 'loud': expected one of raw, hint, explicit"),
        ({"suite": "long_context", "length": -1}, "expected a number of tokens"),
    ],
)
def test_wrong_conditions_are_refused_in_one_line(wrong: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        suite_cases(**wrong)  # type: ignore[arg-type]


def test_one_case_for_each_task() -> None:
    cases = suite_cases("reddit", prompt="hint")
    assert len(cases) == len({planned.task.id for planned in cases.values()}) == 150
    assert {planned.case.prompt for planned in cases.values()} == {"hint"}
