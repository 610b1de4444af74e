"""Long histories of decision tasks: other tickets of the same desk, which tell nothing about the case."""

from collections import Counter

from longtrail.clock import NOW
from longtrail.noise.pool import tickets
from longtrail.noise.selection import same_desk
from longtrail.records.memory import render_history
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import find

CROSSED = [task for name in sorted(crossed_selection()) if isinstance(task := load_tasks()[name], DecisionTask)]


def test_no_ticket_decides_or_is_crossed_itself() -> None:
    assert Counter(ticket.host for ticket in tickets()).keys() == {"shopadmin.test", "forum.test"}
    assert not {ticket.id.removeprefix("ticket_") for ticket in tickets()} & crossed_selection()
    for ticket in tickets():
        actions = [step.action for step in ticket.episode.steps]
        assert [action for action in actions if action.startswith("decide")] == []
        assert actions[-1].startswith("finish with")
        assert all(step.thought for step in ticket.episode.steps)
        assert "reference" not in ticket.said


def test_crossed_tasks_have_tickets_that_show_none_of_its_facts() -> None:
    for task in CROSSED[::5]:
        own = same_desk(task, tickets())
        assert len(own) >= 20, (task.id, len(own))
        text = render_history(ticket.episode for ticket in own)
        assert [fact.id for fact in task.required if find(fact.shown, text, NOW)] == []
