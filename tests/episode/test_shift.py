"""A whole shift, played: the inbox, decisions by ticket, the sessions, and the score of faulty work."""

from typing import TYPE_CHECKING

import pytest

from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.records.action import Decide, Finish, Note
from longtrail.records.case import ShiftCondition
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.shifts.loading import load_shifts
from longtrail.tasks.shifts.shift import ShiftTask

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.sealed import SealedWeb

TASK = load_shifts()["shift-shop-6-01"]  # a memo, a correction, and an answer to a question


def play(web: "SealedWeb", browser: "Browser", task: ShiftTask, condition: ShiftCondition) -> Trajectory:
    case = Case(id="shift", suite=task.suite, task=task.id, shift=condition)
    return play_once(case, task, EpisodeContext(web, browser, Contender(agent="oracle")))


@pytest.fixture(scope="module")
def played(embedded_web: "SealedWeb", shared_browser: "Browser") -> Trajectory:
    return play(embedded_web, shared_browser, TASK, "continuous")


def changed(trajectory: Trajectory, number: int, **fields: object) -> Result:
    """The result if the step with this number had decided otherwise."""
    steps = [
        step.model_copy(update={"action": step.action.model_copy(update=fields)})
        if step.number == number and step.action
        else step
        for step in trajectory.steps
    ]
    return score(TASK, trajectory.model_copy(update={"steps": tuple(steps)}))


def test_the_reference_proves_every_ticket(played: Trajectory) -> None:
    result = score(TASK, played)
    assert result.outcome == "passed", result.reason
    assert {ticket.id: (ticket.proven, ticket.executed) for ticket in result.tickets} == {
        f"T{number}": (True, True) for number in range(4101, 4107)
    }
    assert result.number("handover") == 1.0
    assert result.number("reversals") == 1.0
    promised = next(ticket for ticket in result.tickets if "promised" in ticket.kinds)
    assert (promised.first, promised.decision) == ("REQUEST_INFO", promised.truth)


def test_a_wrong_decision_fails_its_ticket_alone(played: Trajectory) -> None:
    step = next(step for step in played.steps if isinstance(step.action, Decide) and step.action.ticket == "T4101")
    result = changed(played, step.number, decision="DENY")
    assert [ticket.id for ticket in result.tickets if not ticket.proven] == ["T4101"]
    assert result.number("tickets_proven") == pytest.approx(5 / 6)
    assert result.number("dependent_proven") == 1.0


def test_a_decision_without_evidence_is_not_proven(played: Trajectory) -> None:
    last = [step for step in played.steps if isinstance(step.action, Decide)][-1]
    assert isinstance(last.action, Decide)
    result = changed(played, last.number, evidence=())
    ticket = next(ticket for ticket in result.tickets if ticket.id == last.action.ticket)
    assert (ticket.right, ticket.reasoned, ticket.proven) == (True, False, False)


def test_the_handover_is_compared_with_the_site(played: Trajectory) -> None:
    finish = played.steps[-1].action
    assert isinstance(finish, Finish)
    lines = [line.model_copy(update={"amount": line.amount + 5}) for line in finish.handover]
    result = changed(played, played.steps[-1].number, handover=tuple(lines[1:]))
    assert result.number("handover") == pytest.approx((5 / 6) * (4 / 5))


def test_a_context_that_is_cut_goes_on_with_the_same_inbox(played: Trajectory) -> None:
    assert [step.number for step in played.steps] == list(range(1, len(played.steps) + 1))
    assert not any(isinstance(step.action, Note) for step in played.steps)
    assert [end.reason for end in played.ends] == ["finish"]
