"""Actions in JSON and in models' answers: what is forgiven, what is not, and what the agent is told about it."""

import json
import random
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from longtrail.agents.agent import Assignment, Move
from longtrail.agents.model_answer import parse
from longtrail.records.action import ACTION, Click, Decide, Fill, Finish, Scroll
from longtrail.records.action_forms import FORMS, FULL, PAPER, explanations, forms, read_action, types_in_force
from tests.agents.views import BROWSING, DECISIONS
from tests.tables import tables_of

TABLES = tables_of(__file__)

ALL = (*BROWSING, "decide")
CLICK = '{"thought": "The cart.", "action": {"type": "click", "id": "12"}}'


@pytest.mark.parametrize(
    "text",
    [
        CLICK,
        f"```json\n{CLICK}\n```",
        f"Let me think.\n\n```\n{CLICK}\n```\nThat should do.",
        f"I will click the cart: {CLICK} Then I pay.",
        f'<think>perhaps {{"action": {{"type": "back"}}}}?</think>\n{CLICK}',
        '{"thought": "The cart.", "action": {"type": "click", "id": "12",},}',
        '{"thought": "The cart.", "action": {"type": "click", "id": 12}}',
        '{"thought": "The cart.", "action": {"type": "click", "id": "[12]"}}',
        '{"thought": "The cart.", "type": "click", "id": "12"}',
        f"{CLICK}\n{CLICK}",
        f"I go on: {json.loads(CLICK)}",
        json.dumps(CLICK),
        CLICK.replace(": {", ":\n\n {"),
        CLICK.translate(str.maketrans('"', "”")),
        json.dumps({"response": json.loads(CLICK)}),
        json.dumps({"thought": "The cart.", "action": '{"type": "click", "id": "12"}'}),
        f"[{CLICK}]",
        f"{CLICK}{' ' * 64_000}",
        f"{'word ' * 12_800}{CLICK}",
    ],
)
def test_one_action_however_it_is_wrapped(text: str) -> None:
    answer = parse(text, ALL)
    assert answer.action == Click(id="12")
    assert answer.thought == "The cart."
    assert answer.problem == ""


DRAFT = '{"action": {"type": "back"}}'


@pytest.mark.parametrize("text", TABLES["thinking_is_left_out_and_calls_are_actions"])
def test_thinking_is_left_out_and_calls_are_actions(text: str) -> None:
    answer = parse(text, ALL)
    assert (answer.action, answer.problem) == (Click(id="12"), "")


def test_json_that_is_quoted_is_no_action() -> None:
    text = f'The page has {{"order": {{"type": "refund"}}}}, so: {CLICK}'
    assert parse(text, ALL).action == Click(id="12")


PIECES = (
    *("<think>", "</think>", "[/THINK]", "<|channel|>final<|message|>", "assistantfinal", "```json\n", "\n```"),
    *(
        '{"action": ',
        '{"type": "fill", "id": "',
        '"text": "',
        "}",
        "]",
        "[",
        "{",
        ",",
        '"',
        "”",
        "\\",
        "\\ud800",
        "\ud83d",
    ),
    *('{"name": "click", "arguments": ', "[TOOL_CALLS]click", "<function=fill>", "<parameter=text>", "</function>"),
    *(
        "\0",
        "1e999",
        "-0",
        "NaN",
        "null",
        "9" * 5_000,
        '"id": ["1"]',
        '"type": {}',
        '"action": "{}"',
        '"decision": "DENY"',
    ),
)


def mutated(rng: random.Random) -> str:
    """A right answer with pieces of others put in, parts taken out, doubled or nested."""
    text = rng.choice((CLICK, f"<think>{DRAFT}</think>{CLICK}", f"```json\n{CLICK}\n```", json.dumps({"a": [CLICK]})))
    for _ in range(rng.randrange(1, 9)):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        piece = rng.choice((rng.choice(PIECES), chr(rng.randrange(0x1_0FFFF)), text[start:end], ""))
        text = text[:start] + piece * rng.choice((1, 1, 1, 2, 60)) + text[rng.choice((start, end)) :]
        text = text[:4_000]
    return text


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 20))])
def test_no_answer_is_a_bug(seed: int) -> None:
    """500 mutated answers of each seed: an action or a problem in one line, that a step's record can hold."""
    rng = random.Random(seed)
    for _ in range(500):
        text = mutated(rng)
        answer = parse(text, ALL, DECISIONS)
        assert (answer.action is None) == bool(answer.problem), text
        Move(action=answer.action, thought=answer.thought, problem=answer.problem).model_dump_json().encode()


LONG = json.dumps({"action": {"type": "fill", "id": "1", "text": "x" * 30_000}})


@pytest.mark.parametrize(
    ("text", "problem"), [*TABLES["what_is_no_action"], (LONG, "`text`: String should have at most")]
)
def test_what_is_no_action(text: str, problem: str) -> None:
    answer = parse(text, ALL, DECISIONS)
    assert answer.action is None
    assert problem in answer.problem


def test_an_action_that_is_not_allowed_here() -> None:
    decide = '{"action": {"type": "decide", "decision": "DENY", "justification": "fraud"}}'
    assert parse(decide, ALL, DECISIONS).action == Decide(decision="DENY", justification="fraud")
    assert "no action 'decide'" in parse(decide, BROWSING).problem


def test_a_lone_surrogate_becomes_text_that_can_be_stored() -> None:
    answer = parse('{"thought": "odd \\ud800", "action": {"type": "finish"}}', ALL)
    assert answer.thought == "odd \ufffd"
    assert answer.action == Finish()


@pytest.mark.parametrize(
    "junk", ["{" * 200_000, '{"a":' * 50_000, '"' * 200_000, "[" * 100_000, '{"action": ' + "[" * 90_000]
)
def test_hostile_answers_take_no_time(junk: str) -> None:
    start = time.process_time()
    assert parse(junk, ALL).action is None
    assert time.process_time() - start < 5


@given(st.text(max_size=300))
def test_any_text_is_survived(text: str) -> None:
    parse(text, ALL, DECISIONS)


@given(
    text=st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=60),
    before=st.text(alphabet="abc .,\n", max_size=40),
    after=st.text(alphabet="abc .,\n", max_size=40),
    fence=st.booleans(),
)
def test_every_typed_text_survives_the_way(text: str, before: str, after: str, fence: bool) -> None:
    body = json.dumps({"thought": text, "action": {"type": "fill", "id": "3", "text": text}}, ensure_ascii=False)
    wrapped = f"{before}\n```json\n{body}\n```\n{after}" if fence and "```" not in text else f"{before}{body}{after}"
    answer = parse(wrapped, ALL)
    assert answer.action == Fill(id="3", text=text)
    assert answer.thought == text


@pytest.mark.parametrize("kind", FORMS)
def test_every_form_is_an_action(kind: str) -> None:
    action = ACTION.validate_json(FORMS[kind])
    assert action.type == kind
    assert read_action(json.loads(FORMS[kind])) == (action, "")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"type": "fill", "id": "3", "text": "x", "submit": True},
            "fill has no field `submit`; it takes id, text, enter",
        ),
        ({"type": "back", "steps": 2}, "back has no field `steps`; it takes no fields"),
        ({"type": "goto"}, "goto lacks the field `url`; it takes url; the form is " + FORMS["goto"]),
        ({"type": "swipe", "id": "3"}, "there is no action 'swipe'; the types are goto, click"),
        ("click 3", "an action is a JSON object with a type"),
        ({"type": "click", "id": "third"}, "click: `id`: String should match pattern"),
    ],
)
def test_a_wrong_action_is_told_why(given: Any, message: str) -> None:
    action, problem = read_action(given)
    assert action is None
    assert problem.startswith(message)


def test_what_is_not_in_force_names_the_flag() -> None:
    paper, full, sees = (types_in_force(kind, sees=sees) for kind, sees in (("paper", 0), ("full", 0), ("full", 1)))
    for kind in FULL:
        action, problem = read_action(json.loads(FORMS[kind]), paper)
        assert action is None
        assert problem.startswith(f"{kind} is only possible with --actions full; here use goto, click")
    box = {"type": "scroll", "id": "3"}
    assert read_action(box, paper) == (
        None,
        "scroll takes no id here: only the page can be scrolled (boxes need --actions full)",
    )
    assert read_action(box, full)[0] == Scroll(id="3")
    assert "only for agents that get screenshots" in read_action(json.loads(FORMS["mouse"]), full)[1]
    assert read_action(json.loads(FORMS["mouse"]), sees)[1] == ""


def test_prompts_name_the_actions_in_force_alone() -> None:
    assert list(forms(types_in_force("paper", searches=False, decides=True)))[-3:] == ["scroll", "finish", "decide"]
    lines = explanations(forms(types_in_force("full", sees=True)))
    assert len(lines) == len(PAPER) + len(FULL) + 1
    assert next(line for line in lines if '"scroll"' in line).endswith("with an id, the box around that element")


def test_agents_are_told_the_forms() -> None:
    assignment = Assignment.model_validate(
        {"suite": "reddit", "phase": "main", "prompt": "x", "actions": ["click", "decide"], "step_limit": 3}
    )
    assert assignment.model_dump()["actions"] == {"click": FORMS["click"], "decide": FORMS["decide"]}
