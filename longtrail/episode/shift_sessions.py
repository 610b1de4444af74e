"""Shift sessions: plays a shift. Under the condition `sessions` the agent is made anew after every few tickets."""

from longtrail.episode.case_attempt import CaseAttempt
from longtrail.episode.shift_state import ShiftState
from longtrail.tasks.shifts.shift import ShiftTask


def play_shift(attempt: CaseAttempt, task: ShiftTask) -> None:
    """Play a whole shift. The attempt keeps its record. Raises HarnessTrouble."""
    context, journal, sessions = attempt.context, attempt.journal, attempt.case.shift == "sessions"
    world = context.web.open_world(attempt.name)
    world.stage(task)
    with attempt.session(world) as session:
        session.goto(task.start)
        notebook = sessions or context.options.get("notes", "").lower() == "true"
        tickets = context.settings.session_tickets if sessions else 0
        shift = ShiftState(task, world, tickets, notebook, attempt.case.notebook)
        while True:
            loop = attempt.loop(session, world, "main", attempt.prompt, task.step_limit, shift=shift)
            if loop.play().reason != "session":
                break
            journal.ends.pop()
            shift.next_session()
            session.goto(task.start)
        attempt.changes = world.changes()
