"""A whole shift, played: the inbox, decisions by ticket, the sessions, and the score of faulty work."""

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from longtrail.agents import oracle
from longtrail.agents.agent import Assignment, Equipment, Move, Reflection
from longtrail.browser.view import View
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.runner import play_once
from longtrail.episode.shift_state import ShiftState
from longtrail.records.action import Action, Decide, Finish, Note
from longtrail.records.case import ShiftMode
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Outcome, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.briefing import shift_prompt
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import load_shifts
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.web.shift_inbox import ShiftInbox

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.sealed import SealedWeb


def reopened(task: ShiftTask) -> set[str]:
    """The kinds of the tickets that a later mail changes."""
    return {need.kind for ticket in compose(task).tickets if ticket.first for need in ticket.needs}


TASK = next(t for t in load_shifts().values() if t.domain == "shop" and reopened(t) >= {"reversed", "promised"})
SHORT = next(t for t in load_shifts().values() if t.domain == "shop" and t.size == 6 and reopened(t))


def play(web: "SealedWeb", browser: "Browser", task: ShiftTask, condition: ShiftMode) -> Trajectory:
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
        ticket.id: (True, True) for ticket in compose(TASK).tickets
    }
    assert result.number("handover") == 1.0
    assert result.number("reversals") == 1.0
    promised = next(ticket for ticket in result.tickets if "promised" in ticket.kinds)
    assert (promised.first, promised.decision) == ("REQUEST_INFO", promised.truth)


def test_a_mail_that_was_not_opened_stays_in_the_inbox(embedded_web: "SealedWeb") -> None:
    shift = compose(TASK)
    with closing(embedded_web.open_world("mails")) as world:
        world.stage(TASK)
        db = world.db(shift.site)
        inbox = ShiftInbox(db, shift)
        for ticket in shift.tickets[:-1]:
            inbox.close(ticket.id, world.changes())
        mails = [mail.message for mail in shift.mails if not mail.answers]
        states = {row["id"]: row["status"] for row in db.execute("SELECT id, status FROM inbox_message")}
        assert {states[mail] for mail in mails} == {"open"}
        for mail in mails:
            db.execute("UPDATE inbox_message SET opened = 1 WHERE id = ?", (mail,))
        inbox.close(shift.tickets[-1].id, world.changes())
        states = {row["id"]: row["status"] for row in db.execute("SELECT id, status FROM inbox_message")}
        old = [mail.message for mail in shift.mails if not mail.answers and mail.place < TASK.size - 5]
        assert old
        assert {states[mail] for mail in old} == {"archived"}


def test_a_wrong_decision_fails_its_ticket_alone(played: Trajectory) -> None:
    ticket = next(ticket for ticket in compose(TASK).tickets if not ticket.dependent)
    step = next(step for step in played.steps if isinstance(step.action, Decide) and step.action.ticket == ticket.id)
    result = changed(played, step.number, decision="DENY" if ticket.truth.optimal != "DENY" else "ESCALATE")
    assert [each.id for each in result.tickets if not each.proven] == [ticket.id]
    assert result.number("tickets_proven") == pytest.approx(1 - 1 / TASK.size)
    assert result.number("dependent_proven") == 1.0


def test_a_decision_without_evidence_is_not_proven(played: Trajectory) -> None:
    last = [step for step in played.steps if isinstance(step.action, Decide)][-1]
    assert isinstance(last.action, Decide)
    result = changed(played, last.number, evidence=())
    ticket = next(ticket for ticket in result.tickets if ticket.id == last.action.ticket)
    assert (ticket.right, ticket.reasoned, ticket.proven) == (True, False, False)


def test_what_was_cited_before_need_not_be_cited_again(played: Trajectory) -> None:
    """A ticket is decided a second time, with no evidence and the same decision."""
    ticket = next(ticket for ticket in compose(TASK).tickets if not ticket.dependent)
    step = next(step for step in played.steps if isinstance(step.action, Decide) and step.action.ticket == ticket.id)
    assert isinstance(step.action, Decide)
    *others, last = played.steps
    again = last.model_copy(update={"action": step.action.model_copy(update={"evidence": ()})})
    last = last.model_copy(update={"number": last.number + 1})
    result = score(TASK, played.model_copy(update={"steps": (*others, again, last)}))
    row = next(each for each in result.tickets if each.id == ticket.id)
    assert (row.decided_at, row.proven) == (again.number, True), row.reason


def test_the_handover_is_compared_with_the_site(played: Trajectory) -> None:
    finish = played.steps[-1].action
    assert isinstance(finish, Finish)
    lines = [line.model_copy(update={"amount": line.amount + 5}) for line in finish.handover]
    result = changed(played, played.steps[-1].number, handover=tuple(lines[1:]))
    assert result.number("handover") == pytest.approx((1 - 1 / TASK.size) * (4 / 5))


def test_a_notebook_of_a_size_refuses_what_does_not_fit_and_can_be_written_anew(embedded_web: "SealedWeb") -> None:
    world = embedded_web.open_world("notebook")
    world.stage(TASK)
    shift = ShiftState(TASK, world, 3, True, 20)
    assert shift.take_note(Note(text="twelve chars")) == ""
    refused = shift.take_note(Note(text="nine more"))
    assert refused.startswith("the notebook holds 20 characters and 8 are free; this note has 9: write less")
    assert shift.notes == ["twelve chars"]
    assert shift.take_note(Note(text="just twenty letters.", replace=True)) == ""
    assert shift.notes == ["just twenty letters."]
    assert "holds 20 characters" in shift_prompt(TASK, "sessions", 20)
    world.close()


class NoteTaker:
    """The oracle, which writes a note first."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        self._oracle, self._noted = oracle.make(assignment, equipment), False
        SESSIONS.append(assignment)

    def act(self, view: View) -> Action | Move:
        if not self._noted:
            self._noted = True
            return Note(text=f"Session {SESSIONS[-1].session} begins.")
        return self._oracle.act(view)

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        return self._oracle.observe(outcome, view)


SESSIONS: list[Assignment] = []


@pytest.mark.slow
def test_a_context_that_is_cut_goes_on_with_the_same_inbox(
    embedded_web: "SealedWeb", shared_browser: "Browser"
) -> None:
    SESSIONS.clear()
    case = Case(id="cut", suite=SHORT.suite, task=SHORT.id, shift="sessions")
    settings = EpisodeSettings(session_tickets=2)
    context = EpisodeContext(embedded_web, shared_browser, Contender(agent="oracle"), NoteTaker, settings=settings)
    trajectory = play_once(case, SHORT, context)
    result = score(SHORT, trajectory)
    assert result.outcome == "passed", result.reason
    assert [step.number for step in trajectory.steps] == list(range(1, len(trajectory.steps) + 1))
    assert [end.reason for end in trajectory.ends] == ["finish"]
    assert [(each.session, each.notes) for each in SESSIONS] == [
        (number, tuple(f"Session {earlier} begins." for earlier in range(1, number))) for number in (1, 2, 3)
    ]
    assert len({each.episode for each in SESSIONS}) == 1
    left = [each.step_limit for each in SESSIONS]
    assert left[0] == SHORT.step_limit
    assert left == sorted(set(left), reverse=True), "each session gets what the earlier ones left of the budget"
    assert left[-1] < SHORT.step_limit - 5 * (len(SESSIONS) - 1)
    assert all("note" in each.actions for each in SESSIONS)
