"""Memory: an agent's history of earlier tasks, and its text in prompts.

An agent's own past, the injected noise and the token count of a history all use this form, so injected tasks look the
same as the agent's own (long-context paper, Appendix A.1: instruction, observation summary, thought, action,
reflection, and the URL).
"""

import re
from collections.abc import Iterable
from textwrap import shorten

from longtrail.records import axtree_text as axtree
from longtrail.records.action import Action
from longtrail.records.observation import Observation
from longtrail.records.record import Record
from longtrail.records.trajectory import Step

STEP = 1_300
"""Characters of a step of a long history: the words of its page fill up what the agent wrote. So entries are alike in
length, whoever wrote them."""
LEAST = 40
"""Minimum characters of a page's words that are worth keeping."""
_STATES = re.compile(
    r" options: .*| placeholder=\"[^\"]*\"| (?:value=\"\"|focused|collapsed|unchecked|not pressed)(?= |$)"
    r"|\bheading level=\d: |\b(?:navigation|group|region) (?=\")",
    re.MULTILINE,
)
"""What `page_words` leaves out besides ids and roles."""
LAST_PAGE = 1_500
"""Maximum characters of the last page if key steps ended the task."""


class MemoryStep(Record):
    """One remembered step."""

    url: str
    """The address where it was taken; empty if unknown (published trajectories)."""
    seen: str = ""
    """A short summary of the observation (title and first lines)."""
    thought: str
    action: str
    """The action as text, such as `click link "Offers"`."""
    reflection: str = ""


class PastTask(Record):
    """One remembered task."""

    instruction: str
    steps: tuple[MemoryStep, ...]


def describe(action: Action | None, target_role: str = "", target_name: str = "") -> str:
    """An action as text for the history, with names instead of ids."""
    if action is None:
        return "an invalid action"
    target = f'{target_role} "{target_name}"'.strip() if target_role or target_name else ""
    match action.type:
        case "goto":
            return f"goto {action.url}"
        case "click":
            return f"click {target or 'element ' + action.id}"
        case "fill":
            return f'fill {target or "element " + action.id} with "{action.text}"' + (" and press Enter" * action.enter)
        case "select":
            return f'select "{action.option}" in {target or "element " + action.id}'
        case "search":
            return f'search the web for "{action.query}"'
        case "back":
            return "go back"
        case "scroll":
            return f"scroll {action.direction}" + (f" at {target or 'element ' + action.id}" if action.id else "")
        case "note":
            return f"note: {action.text}"
        case "finish":
            return f'finish with "{action.answer}"' if action.answer else "finish"
        case "decide":
            ticket = f" {action.ticket}" if action.ticket else ""
            return f"decide{ticket} {action.decision}: {action.justification}"
        case _:
            fields = action.model_dump(exclude={"type"}, exclude_defaults=True)
            number = fields.pop("id", "")
            element = number and (target or f"element {number}")
            words = (action.type.replace("_", " "), element, *map(str, fields.values()))
            return " ".join(filter(None, words))


def recall(steps: Iterable[Step], last: Observation | None = None) -> tuple[MemoryStep, ...]:
    """The same as `remember`, for a long history: also with the words of the pages."""
    steps = tuple(steps)
    memories = remember(steps, last)
    return (
        tuple(_with_page(memory, step.observation) for memory, step in zip(memories, steps, strict=False))
        + memories[len(steps) :]
    )


def _with_page(memory: MemoryStep, page: Observation) -> MemoryStep:
    room = STEP - len(memory.seen) - len(memory.thought) - len(memory.action) - len(memory.reflection)
    words = shorten(page_words(page.text), room, placeholder=" ...") if room > LEAST else ""
    return memory.model_copy(update={"seen": f"{memory.seen} | {words}"}) if words else memory


def page_words(text: str) -> str:
    """The words of a page's main part, without the options of its menus."""
    main = re.split(r"^main\b.*", text, maxsplit=1, flags=re.MULTILINE)[-1]
    body = re.split(r"^contentinfo\b", main, maxsplit=1, flags=re.MULTILINE)[0]
    return axtree.words(_STATES.sub("", body))


def remember(steps: Iterable[Step], last: Observation | None = None) -> tuple[MemoryStep, ...]:
    """An agent's own steps as history. `last`: the page that the last step opened, if the task ended before the agent
    could act on it."""
    memories = tuple(
        MemoryStep(
            url=step.observation.url,
            seen=step.observation.title,
            thought=step.thought,
            action=describe(
                step.action,
                step.outcome.target.role if step.outcome.target else "",
                step.outcome.target.name if step.outcome.target else "",
            )
            + (f" (failed: {step.outcome.error})" if not step.outcome.ok else ""),
            reflection=step.reflection,
        )
        for step in steps
    )
    if last is None:
        return memories
    page = " | ".join([last.title, *(line.strip() for line in last.text.splitlines() if line.strip())])[:LAST_PAGE]
    return (*memories, MemoryStep(url=last.url, seen=page, thought="", action="none: the task ended here"))


def render_step(number: int, step: MemoryStep, *, thoughts: bool = True) -> str:
    """One step as text, ending in a newline. Without `thoughts`: only address, observation and action."""
    lines = [f"Step {number}", *([f"URL: {step.url}"] if step.url else [])]
    if step.seen:
        lines.append(f"Seen: {step.seen}")
    lines += [f"Thought: {step.thought}"] * thoughts + [f"Action: {step.action}"]
    if step.reflection and thoughts:
        lines.append(f"Reflection: {step.reflection}")
    return "\n".join(lines) + "\n"


def render_episode(episode: PastTask) -> str:
    """One remembered task as text, ending in an empty line."""
    steps = "".join(render_step(number, step) for number, step in enumerate(episode.steps, 1))
    return f"Task: {episode.instruction}\n{steps}\n"


def render_history(episodes: Iterable[PastTask]) -> str:
    """A whole history as text. It only grows: a history's text is a prefix of a longer history's text."""
    return "".join(render_episode(episode) for episode in episodes)
