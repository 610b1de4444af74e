"""The profile `pathways`, and the agent that audits itself: their prompts, and what follows from the answers."""

import pytest

from longtrail.agents.agent import Agent, Assignment, Equipment, Move
from longtrail.agents.spec import AgentSpec
from longtrail.agents.webagent import CUT, cut_to, focused
from longtrail.errors import UsageError
from longtrail.llm.tokens import count
from longtrail.records.action import Click, Decide, Fill
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.records.trajectory import Outcome, Target, Usage
from tests.agents.views import Model, case, task, view

ORDER = view(
    ' [3] searchbox "Find" (focused)\n [4] link "Customer" (clickable, visible)\n Grand total $120.00',
    title="Order 635",
)
CLICK = {"thought": "Who is it?", "action": {"type": "click", "id": "4"}}
APPROVE = {"thought": "Fine.", "action": {"type": "decide", "decision": "APPROVE", "justification": "It is small."}}
DENY = {**APPROVE, "action": {**APPROVE["action"], "decision": "DENY"}}


def pathways(model: Model, assignment: Assignment) -> Agent:
    return AgentSpec.parse("webagent").factory(assignment, Equipment(model, profile="pathways"))


def test_pathways_prompts_with_actions_errors_and_focus() -> None:
    model = Model(CLICK, {**CLICK, "action": {"type": "fill", "id": "3", "text": "635"}}, APPROVE)
    agent = pathways(model, case())
    for outcome in (
        Outcome(ok=True, target=Target(role="link", name="Customer"), url=ORDER.url),
        Outcome(ok=False, error="element 3 is covered by a dialog", url=ORDER.url),
    ):
        agent.act(ORDER)
        assert agent.observe(outcome, ORDER) is None, "there is no call to reflect"
    agent.act(ORDER)
    system, user = model.asked[-1]
    assert "`clickable` elements" in system.text
    assert '"id": "31"' in system.text, "the concrete example"
    assert "<one of the types above>" in system.text, "the abstract one"
    assert "Be careful" in system.text
    assert 'Action: click link "Customer"' in user.text
    assert "Who is it?" not in user.text, "actions are remembered, thoughts are not"
    assert "- step 2: element 3 is covered by a dialog" in user.text
    assert 'Focused element: [3] searchbox "Find" (focused)' in user.text
    assert model.limits == [1024] * 3


def test_pathways_keeps_its_prompt_within_the_budget_and_never_cuts_the_history() -> None:
    history = (PastTask(instruction="Earlier.", steps=(MemoryStep(url="u", thought="t " * 60_000, action="finish"),)),)
    page = "\n".join(f' [{n}] link "Order {n} of the customer\'s long list of orders"' for n in range(1, 6_000))
    model = Model(CLICK, CLICK)
    pathways(model, case()).act(view(page))
    assert 35_000 < sum(count(message.text) for message in model.asked[0]) <= 40_100
    assert CUT in model.asked[0][1].text
    pathways(model, task(history=history)).act(view(page))
    assert "t " * 60_000 in model.asked[1][1].text


def test_an_unknown_profile_is_named() -> None:
    with pytest.raises(UsageError, match=r"unknown profile 'webarena'; known are default, pathways"):
        AgentSpec.parse("webagent").factory(case(), Equipment(Model(), profile="webarena"))


def test_focus_and_cutting() -> None:
    assert focused(' text about what is focused\n [1] link "focused"\n [2] textbox "Name": "x" (focused)').startswith(
        "[2]"
    )
    assert focused(' [1] link "a"') == ""
    assert cut_to("a\nb", 5_000, "rest") == "a\nb"


def audited(*answers: object, **options: object) -> tuple[Move, Model]:
    model = Model(*answers)
    move = AgentSpec.parse("audit").factory(case(), Equipment(model, dict(options))).act(ORDER)
    assert isinstance(move, Move)
    return move, model


def test_an_audit_may_go_on_investigating() -> None:
    checks = {"known": [{"what": "the total", "seen_on": "order 635"}], "missing": ["who the customer is"], **CLICK}
    move, model = audited(APPROVE, checks)
    assert move.action == Click(id="4")
    assert "who the customer is" in move.summary
    assert move.usage.calls == 2
    assert move.summary_usage == Usage(calls=1, prompt_tokens=100, completion_tokens=10, usd=0.5)
    question = model.asked[1][-1].text
    assert "decide APPROVE: It is small." in question
    assert "steps that are left (24)" in question
    assert model.asked[1][:2] == model.asked[0]


def test_an_audit_may_correct_or_confirm_the_decision() -> None:
    move, _ = audited(APPROVE, {"known": [], "missing": [], **DENY})
    assert isinstance(move.action, Decide)
    assert move.action.decision == "DENY"
    move, _ = audited(APPROVE, "I am content.")
    assert isinstance(move.action, Decide)
    assert move.action.decision == "APPROVE", "an audit that can't be read changes nothing"


def test_only_endings_are_audited_and_not_for_ever() -> None:
    move, model = audited({**CLICK, "action": {"type": "fill", "id": "3", "text": "635"}})
    assert isinstance(move.action, Fill)
    assert len(model.asked) == 1
    model = Model(APPROVE, CLICK, APPROVE, CLICK, APPROVE)
    agent = AgentSpec.parse("audit").factory(case(), Equipment(model))
    kinds = [agent.act(ORDER).action.type for _ in range(3)]
    assert kinds == ["click", "click", "decide"]
    assert audited(APPROVE, audits=0)[1].answers == []


def test_its_option_is_checked() -> None:
    with pytest.raises(UsageError, match="audits='many'"):
        audited(audits="many")
