"""Action forms: every form is an action, and the error for a wrong action says what is wrong."""

import json
from typing import Any

import pytest

from longtrail.agents.agent import Assignment
from longtrail.records.action import ACTION, FORMS, read_action


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_is_an_action(kind: str) -> None:
    action = ACTION.validate_json(FORMS[kind])
    assert action.type == kind
    assert read_action(json.loads(FORMS[kind])) == (action, "")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"type": "fill", "id": "3", "text": "x", "submit": True},
            "fill has no field `submit`; it takes id, text, enter",
        ),
        ({"type": "back", "steps": 2}, "back has no field `steps`; it takes no fields"),
        ({"type": "goto"}, "goto lacks the field `url`; it takes url; the form is " + FORMS["goto"]),
        ({"type": "hover", "id": "3"}, "there is no action 'hover'; the types are goto, click"),
        ("click 3", "an action is a JSON object with a type"),
        ({"type": "click", "id": "third"}, "click: `id`: String should match pattern"),
    ],
)
def test_a_wrong_action_is_told_why(given: Any, told: str) -> None:
    action, problem = read_action(given)
    assert action is None
    assert problem.startswith(told)


def test_agents_are_told_the_forms() -> None:
    assignment = Assignment.model_validate(
        {"suite": "reddit", "phase": "main", "prompt": "x", "actions": ["click", "decide"], "step_limit": 3}
    )
    assert assignment.model_dump()["actions"] == {"click": FORMS["click"], "decide": FORMS["decide"]}
