"""irag: the webagent, which before each plan asks the model to summarise what its history says about the task and the
page.

After the implicit retrieval of the long-context paper: one simpler call, its text appended to the plan's context. The
call shares the plan's beginning (rules, history, steps so far), so that a provider's cache serves one from the other.
"""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.prompt_files import render
from longtrail.agents.webagent import PromptPrefix, build
from longtrail.browser.view import View
from longtrail.llm.client import Message, ModelClient, Reply

MAX_TOKENS = 320
PAGE_SHOWN = 2_000
"""Characters of the page's text that represent the current state."""


def summarise(model: ModelClient, past: PromptPrefix, assignment: Assignment, view: View) -> Reply:
    """What the history says about the task and the current page."""
    now = render(
        "summarise",
        url=view.url,
        title=view.observation.title,
        text=view.text[:PAGE_SHOWN],
        instruction=assignment.prompt,
    )
    messages = (
        Message(role="system", text=past.system),
        Message(role="user", text=past.text + now, stable=past.stable),
    )
    return model.complete(messages, max_tokens=MAX_TOKENS)


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    return build(assignment, equipment, "irag", recall=summarise)
