"""Page reading: finds the focused element of a page, and cuts a page to a prompt's budget."""

import re

from longtrail.llm.tokens import count

LEAST = 1_000
"""Minimum tokens of the page that are always shown."""
CUT = "... cut here to keep the prompt within its budget; scroll to see the rest"


def focused(text: str) -> str:
    """The line of the element that has the focus; empty if none has it."""
    return next((line.strip() for line in text.splitlines() if _has_focus(line)), "")


def _has_focus(line: str) -> bool:
    return line.lstrip().startswith("[") and "focused" in re.findall(r"\w+", line.rpartition('"')[2])


def cut_to(text: str, budget: int, rest: str) -> str:
    """The page's text, cut after a line where it and the rest of the prompt would exceed the budget (in tokens)."""
    room = max(LEAST, budget - count(rest))
    if count(text) <= room:
        return text
    kept: list[str] = []
    used = count(CUT) + 1
    for line in text.splitlines():
        used += count(line) + 1
        if used > room:
            break
        kept.append(line)
    return "\n".join([*kept, CUT])
