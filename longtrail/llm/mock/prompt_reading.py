"""Prompt reading: how the scripted model reads a prompt: the task, the page, and the steps so far."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from longtrail.paths import DATA
from longtrail.yaml_file import read

_SECTIONS = (
    "Earlier tasks",
    "Current task",
    "Your steps so far",
    "The page now",
    "What matters from before",
    "Your turn",
)
_HEADING = re.compile(rf"^# ({'|'.join(_SECTIONS)})$", re.MULTILINE)
_AFTER = frozenset({"What matters from before", "Your turn"})
"""Sections that follow the page."""
_FIELD = re.compile(r"^(URL|Seen|Thought|Action|Reflection): (.*)$", re.MULTILINE)


@cache
def word_lists() -> dict[str, frozenset[str]]:
    """The words of data/scripted_model.yaml."""
    lists = read(dict[str, str], DATA / "scripted_model.yaml")
    return {name: frozenset(words.split()) for name, words in lists.items()}


Kind = Literal["plan", "summary", "reflection"]


@dataclass(frozen=True, slots=True)
class PromptStep:
    """One step from the prompt."""

    url: str
    thought: str
    action: str


@dataclass(frozen=True, slots=True)
class PromptReading:
    """A prompt's question and content."""

    kind: Kind
    task: str
    page: str
    """The page's text, including elements."""
    url: str = ""
    title: str = ""
    steps: tuple[PromptStep, ...] = ()
    earlier: str = ""
    decisions: tuple[str, ...] = ()
    step: int = 1
    limit: int = 25
    repaired: bool = False
    """Whether the model's first answer to this turn was rejected as malformed."""


def plain(content: Any) -> str:
    """The text of a chat message's content, be it a string or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def read_prompt(messages: Sequence[dict[str, Any]]) -> PromptReading:
    """A chat as a situation. In a chat of many turns, the task comes first and each turn adds a step and the page, also
    as a tool's result. For a prompt of unknown form, the whole text is the page and its first paragraph the task."""
    chat = [(plain(message.get("content")), message.get("role")) for message in messages]
    asked = [number for number, (_, role) in enumerate(chat) if role in ("user", "tool")] or [0]
    task = next((number for number in reversed(asked) if "# Current task" in chat[number][0]), asked[-1])
    text = chat[task][0] if chat else ""
    if text.startswith("You look back on one step"):
        return _reflection(text)
    sections, thought = _sections(text), ""
    for later, role in chat[task + 1 :]:
        if role == "assistant":
            thought = later.partition("\n")[0]
        elif "The page now" in (turn := _sections(later)):
            step = f"{turn.pop('Your steps so far', '')}\nThought: {thought}\n"
            sections |= {**turn, "Your steps so far": sections.get("Your steps so far", "") + step}
    if "The page now" not in sections:
        return PromptReading(kind="plan", task=text.strip().partition("\n\n")[0][:2_000], page=text)
    head, _, page = sections["The page now"].strip().partition("\n\n")
    fields, ending = dict(_FIELD.findall(head)), sections.get("Your turn", "")
    number = re.search(r"Step (\d+) of at most (\d+)", ending)
    choice = re.search(r"^Decisions: (.+)$", ending, re.MULTILINE)
    title = re.search(r"^Title: (.*)$", head, re.MULTILINE)
    return PromptReading(
        kind="summary" if "No action yet." in ending else "plan",
        task=sections.get("Current task", "").strip(),
        page=page,
        url=fields.get("URL", ""),
        title=title[1] if title else "",
        steps=_steps(sections.get("Your steps so far", "")),
        earlier=sections.get("Earlier tasks", "").strip(),
        decisions=tuple(choice[1].split(", ")) if choice else (),
        step=int(number[1]) if number else 1,
        limit=int(number[2]) if number else 25,
        repaired=any(message.get("role") == "assistant" for message in messages),
    )


def salient(text: str) -> tuple[str, ...]:
    """The content words of a text: lower case, without stop words and plural endings, each once, in order."""
    words = re.findall(r"[a-z0-9][a-z0-9$.,'-]*[a-z0-9]|[0-9]", text.lower())
    stems = (stem(word) for word in words if (len(word) > 2 or word.isdigit()) and word not in word_lists()["small"])
    return tuple(dict.fromkeys(stems))


def stem(word: str) -> str:
    """A word without its plural ending: `fares` becomes `fare`."""
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _reflection(text: str) -> PromptReading:
    before, _, after = text.partition("The page afterwards\n")
    task = re.search(r"^The task: (.*)$", before, re.MULTILINE)
    head, _, page = after.partition("\n\n")
    title = re.search(r"^Title: (.*)$", head, re.MULTILINE)
    action = re.search(r"^Action: (.*)$", before, re.MULTILINE)
    failed = re.search(r"^It failed: (.*)$", before, re.MULTILINE)
    done = PromptStep("", failed[1] if failed else "", action[1] if action else "")
    return PromptReading(
        kind="reflection",
        task=task[1] if task else "",
        page=page.rpartition("\n\nSay in at most")[0],
        url=dict(_FIELD.findall(head)).get("URL", ""),
        title=title[1] if title else "",
        steps=(done,),
    )


def _sections(text: str) -> dict[str, str]:
    """Text by heading. A page may contain headings too, so before the page the first counts, after it the last."""
    places: dict[str, re.Match[str]] = {}
    for match in _HEADING.finditer(text):
        if match[1] in _AFTER or match[1] not in places:
            places[match[1]] = match
    matches = sorted(places.values(), key=lambda match: match.start())
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(matches, ends, strict=False)}


def _steps(text: str) -> tuple[PromptStep, ...]:
    fields = [dict(_FIELD.findall(step)) for step in re.split(r"^Step \d+$", text, flags=re.MULTILINE)[1:]]
    return tuple(
        PromptStep(step_fields.get("URL", ""), step_fields.get("Thought", ""), step_fields.get("Action", ""))
        for step_fields in fields
    )
