"""The baselines: what each does, and that it always does the same."""

import pytest

from longtrail.agents.agent import Agent, Assignment, Equipment, Move
from longtrail.agents.guessers import guess
from longtrail.agents.spec import AgentSpec
from longtrail.errors import UsageError
from longtrail.records.action import Action, Decide, Finish, Goto, Search
from longtrail.records.trajectory import Outcome
from tests.agents.views import DECISIONS, case, task, view

PAGE = view(
    'main\n [3] link "Orders"\n [4] searchbox "Search" value=""\n [5] button "Refund" disabled\n [6] link "Customers"'
)


def _play(name: str, assignment: Assignment, steps: int = 40, **options: object) -> list[Action]:
    agent: Agent = AgentSpec.parse(name).factory(assignment, Equipment(options=dict(options)))
    taken: list[Action] = []
    for _ in range(steps):
        action = agent.act(PAGE)
        assert not isinstance(action, Move)
        taken.append(action)
        if action.type in ("finish", "decide"):
            break
        agent.observe(Outcome(ok=True, url=PAGE.url), PAGE)
    return taken


@pytest.mark.parametrize("name", ["nothing", "constant", "surface"])
def test_without_a_decision_to_take_they_finish(name: str) -> None:
    assert _play(name, task()) == [Finish()]


def test_nothing_decides_nothing() -> None:
    assert _play("nothing", case()) == [Finish()]


def test_constant_decides_always_the_same() -> None:
    for option, decision in ({}, "APPROVE"), ({"decision": "ESCALATE"}, "ESCALATE"):
        (action,) = _play("constant", case(), **option)
        assert isinstance(action, Decide)
        assert action.decision == decision
    with pytest.raises(UsageError, match="APPROVE, DENY, ESCALATE"):
        _play("constant", case(), decision="MAYBE")


@pytest.mark.parametrize(
    ("prompt", "decision"),
    [
        ("A suspicious refund, perhaps fraud.", "DENY"),
        ("A loyal customer got a damaged lamp.", "APPROVE"),
        ("The order never arrived, says the customer, and calls it urgent.", "ESCALATE"),
        ("Order 7.", "APPROVE"),
        ("Order 7.\nDENY: fraud, scam, stolen cards\nAPPROVE: all is well", "APPROVE"),
    ],
)
def test_surface_goes_by_the_trigger_s_words(prompt: str, decision: str) -> None:
    assert guess(prompt, DECISIONS) == decision


def test_random_is_seeded_and_valid() -> None:
    seeds = [_play("random", case().model_copy(update={"seed": seed})) for seed in range(30)]
    assert seeds[0] == _play("random", case())
    assert len({str(actions) for actions in seeds}) > 25
    assert {actions[-1].decision for actions in seeds if isinstance(actions[-1], Decide)} == set(DECISIONS)
    ids = {action.id for actions in seeds for action in actions if action.type in ("click", "fill")}
    assert ids == {"3", "4", "6"}, "what is disabled is left alone"
    assert all(len(actions) <= 25 for actions in seeds)
    assert isinstance(_play("random", task())[-1], Finish)


def test_looper_never_ends() -> None:
    assert _play("looper", case()) == [Goto(url=PAGE.url)] * 40
    agent = AgentSpec.parse("looper").factory(task(), Equipment())
    assert isinstance(agent.act(view("", url="about:blank")), Search)
