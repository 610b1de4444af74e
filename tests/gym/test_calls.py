"""Answers of agents made for BrowserGym become actions: every call, in code, in fences, or within text."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.browsergym.calls import UnreadableCall, actions
from longtrail.records.action import ACTION, Action, Decide, Evidence
from longtrail.yaml_file import read_yaml

DATA = read_yaml(Path(__file__).with_name("calls.yaml"))
WORDS = ("APPROVE", "REMOVE", "REMOVE_ALL_POSTS")
PLACES = {
    "4": {"visibility": 1, "bbox": [0, 0, 400, 400], "clickable": True, "set_of_marks": True},
    "5": {"visibility": 1, "bbox": [10, 10, 20, 20], "clickable": True, "set_of_marks": True},
    "6": {"visibility": 1, "bbox": [12, 12, 2, 2], "clickable": False, "set_of_marks": False},
    "7": {"visibility": 0, "bbox": None, "clickable": True, "set_of_marks": False},
}


def said(text: str, decisions: tuple[str, ...] = ()) -> tuple[Action, ...]:
    return actions(text, PLACES, decisions, tabs=(3, 8))


@pytest.mark.parametrize("row", DATA["calls"], ids=lambda row: row[0])
def test_calls(row: list[Any]) -> None:
    text, *expected = row
    assert list(said(text)) == [ACTION.validate_python(action) for action in expected]


@pytest.mark.parametrize(("text", "problem"), [*DATA["refused"], ("click('1')\n" * 26, "at most 25 actions")])
def test_what_is_no_call(text: str, problem: str) -> None:
    with pytest.raises(UnreadableCall, match=problem):
        said(text)


def test_decisions_are_messages() -> None:
    whole = """send_msg_to_user('{"decision": "REMOVE", "justification": "spam", "mood": "good",
        "evidence": [{"source": "/u/a", "quote": "b"}]}')""".replace("\n", " ")
    evidence = (Evidence(source="/u/a", quote="b"),)
    assert said(whole, WORDS) == (Decide(decision="REMOVE", justification="spam", evidence=evidence),)
    plain = "I decide REMOVE_ALL_POSTS: it is spam."
    assert said(f"send_msg_to_user({plain!r})", WORDS) == (Decide(decision="REMOVE_ALL_POSTS", justification=plain),)


@pytest.mark.parametrize("text", ["Hello?", "APPROVE or REMOVE, who knows", '{"decision": "APPROVE", ]}'])
def test_messages_without_a_decision(text: str) -> None:
    with pytest.raises(UnreadableCall):
        said(f"send_msg_to_user({text!r})", WORDS)
