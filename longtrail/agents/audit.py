"""audit: the webagent with a check before it ends a task: it lists what it knows, where it saw it, and what is missing.

It may go on investigating after that (a question that the long-context paper leaves open). At most MAX_AUDITS
audits per phase (option `audits`); the action after the last one is final.
"""

from dataclasses import dataclass

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.prompt_files import render
from longtrail.agents.webagent import build
from longtrail.errors import UsageError
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.records.action import Action
from longtrail.records.memory import describe

MAX_AUDITS = 2
MAX_TOKENS = 1024
ENDING = ("decide", "finish")


@dataclass
class Auditor:
    """Checks an action that would end the phase."""

    audits: int

    def __call__(
        self,
        model: ModelClient,
        prompt: tuple[Message, ...],
        answer: str,
        action: Action,
        assignment: Assignment,
        left: int,
    ) -> Reply | None:
        """The model's answer to the audit, or None where there is nothing to audit."""
        if action.type not in ENDING or self.audits < 1:
            return None
        self.audits -= 1
        question = render("audit", action=describe(action), actions=assignment.actions, left=left)
        messages = (*prompt, Message(role="assistant", text=answer), Message(role="user", text=question))
        return model.complete(messages, max_tokens=MAX_TOKENS, json=True)


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    audits = str(equipment.options.get("audits", MAX_AUDITS))
    if not audits.isdecimal():
        raise UsageError(f"agent audit: audits={audits!r} is not a number")
    return build(assignment, equipment, "audit", check=Auditor(int(audits)))
