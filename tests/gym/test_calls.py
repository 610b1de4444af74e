"""Answers of agents made for BrowserGym become actions: every call, in code, in fences, or within text."""

import pytest

from longtrail.agents.browsergym.calls import UnreadableCall, actions
from longtrail.records.action import Action, Back, Click, Decide, Evidence, Fill, Finish, Goto, Select
from longtrail.records.full_actions import (
    DoubleClick,
    Drag,
    Hover,
    Mouse,
    Press,
    RightClick,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)

WORDS = ("APPROVE", "REMOVE", "REMOVE_ALL_POSTS")
PLACES = {
    "4": {"visibility": 1, "bbox": [0, 0, 400, 400], "clickable": True, "set_of_marks": True},
    "5": {"visibility": 1, "bbox": [10, 10, 20, 20], "clickable": True, "set_of_marks": True},
    "6": {"visibility": 1, "bbox": [12, 12, 2, 2], "clickable": False, "set_of_marks": False},
    "7": {"visibility": 0, "bbox": None, "clickable": True, "set_of_marks": False},
}


def said(text: str, decisions: tuple[str, ...] = ()) -> tuple[Action, ...]:
    return actions(text, PLACES, decisions, tabs=(3, 8))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("click('12')", [Click(id="12")]),
        ('click(bid="12", button="left", modifiers=[])', [Click(id="12")]),
        ("fill('3', 'it''s')", [Fill(id="3", text="its")]),
        ("fill('3', 'a', True)", [Fill(id="3", text="a")]),
        ("clear('3')", [Fill(id="3", text="")]),
        ("select_option('3', 'red')", [Select(id="3", option="red")]),
        ("select_option('3', ['red', 'blue'])", [Select(id="3", option="red"), Select(id="3", option="blue")]),
        ("press('3', 'Control+a')", [Press(id="3", keys="Control+a")]),
        ("dblclick('3')", [DoubleClick(id="3")]),
        ("drag_and_drop('3', '4')", [Drag(id="3", onto="4")]),
        ("scroll(0, -50.2)", [Mouse(gesture="wheel", x=0, y=-50.2)]),
        ("click('3', 'right')", [RightClick(id="3")]),
        ("hover('3')", [Hover(id="3")]),
        ("focus('3')", [Press(id="3")]),
        ("upload_file('3', 'a.txt')", [Upload(id="3", file="a.txt")]),
        ("noop()", [Wait(seconds=1)]),
        ("goto('http://www.example.com')", [Goto(url="http://www.example.com")]),
        ("go_back()", [Back()]),
        ("tab_focus(1)", [SwitchTab(tab=8)]),
        ("mouse_click(13, 13)", [Click(id="5")]),
        ("mouse_click(700, 13)", [Mouse(x=700, y=13)]),
        ("keyboard_type('Hi')", [TypeText(text="Hi")]),
        ("report_infeasible('no such page')", [Finish(answer="infeasible: no such page")]),
        ("send_msg_to_user('It costs $5 (plus tax).')", [Finish(answer="It costs $5 (plus tax).")]),
        ("Now I know.\n```click('1')```", [Click(id="1")]),
        ("```python\nclick('1')\nfill('2', 'x')\n```", [Click(id="1"), Fill(id="2", text="x")]),
        ("First ```click('1')``` and then ```click('2')```.", [Click(id="1"), Click(id="2")]),
        ("I'll use click('12'), as I said (twice).", [Click(id="12")]),
        ("I say send_msg_to_user('a ) b') now", [Finish(answer="a ) b")]),
    ],
)
def test_calls(text: str, expected: list[Action]) -> None:
    assert list(said(text)) == expected


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no action in it"),
        ("I am at a loss.", "there is no action in it"),
        ("shutdown()", r"shutdown\(\) is no action here"),
        ("os.system('ls')", "is no action here"),
        ("click('12', button='middle')", "only clicks of the left and right button"),
        ("click('a12')", "should match pattern"),
        ("click(12 + open('/etc/passwd'))", "malformed"),
        ("click()", "missing a required argument"),
        ("x = click('12')", "only action calls"),
        ("import os", "only action calls"),
        ("tab_focus(2)", "there is no tab 2"),
        ("click('1')\n" * 26, "at most 25 actions"),
        ("goto('')", "at least 1 character"),
    ],
)
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
