"""For players that answer in text: the rules of their answers, and the move in one."""

from longtrail.agents.agent import Assignment, Move
from longtrail.agents.model_answer import move_from
from longtrail.agents.prompt_files import render
from longtrail.llm.client import Reply
from longtrail.records.action_forms import forms, types_in_force
from longtrail.records.trajectory import Usage
from longtrail.tasks.briefing import decisions_of
from longtrail.tasks.task import Task


def answer_rules(task: Task) -> str:
    """The system message of our own webagent: how a page reads, the actions, and the form of an answer."""
    decisions = tuple(decisions_of(task))
    actions = forms(types_in_force("paper", decides=bool(decisions)))
    return render("system", vision=False, actions=actions, files=(), decisions=decisions)


def move_from_text(text: str, assignment: Assignment) -> Move:
    """The move in an answer. One without a valid action takes a step, and the next page says what was wrong with it."""
    return move_from(Reply(text=text, usage=Usage(), model=""), assignment)
