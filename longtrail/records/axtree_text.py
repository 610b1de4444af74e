"""Axtree text: parses an observation's text into elements and plain words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile

_ELEMENT = re.compile(r'(?:^|(?<=[\s(]))\[(?P<id>[0-9]{1,7})\] (?P<role>[a-z]+)(?: "(?P<name>.*?)"(?=[\s,.;:!?)|]|$))?')
"""An element is at the start of a line or within its text; quotes inside names are not escaped."""
MARK = re.compile(r"^\s*\.\.\. .*; scroll( up)?$", re.MULTILINE)
"""The lines that mark where an observation was cut."""
_CARD_LINE = re.compile(r"^\s*(?:listitem|article)$", re.MULTILINE)
"""The line that begins a card; the card's lines are indented."""


@dataclass(frozen=True, slots=True)
class Element:
    """An interactive element."""

    id: str
    role: str
    name: str
    rest: str
    """The rest of its line up to the next element: value, states, text."""

    def __str__(self) -> str:
        return f'{self.role} "{self.name}"'


def elements(text: str) -> Iterator[Element]:
    """All interactive elements in document order."""
    for line in text.splitlines():
        matches = list(_ELEMENT.finditer(line))
        ends = [*(match.start() for match in matches[1:]), len(line)]
        for match, end in zip(matches, ends, strict=False):
            yield Element(match["id"], match["role"], match["name"] or "", line[match.end() : end].strip())


def find(text: str, role: str, name: str, within: str = "") -> Iterator[str]:
    """Ids of the elements of this role and name, in order. Spaces are folded; `*` at an end matches any characters.
    `within`: only those whose card has these words."""
    folded = " ".join(name.split())
    inner = re.escape(folded.removeprefix("*").removesuffix("*"))
    some = r"(?:(?! \[[0-9]{1,7}\] ).)*?"
    pattern = (
        (some if folded.startswith("*") else "") + inner + (some if folded.endswith("*") and folded != "*" else "")
    )
    name_pattern = rf' "{pattern}"(?=[\s,.;:!?)|]|$)' if folded else r'(?! ")'
    wanted = re.compile(rf"(?:^|(?<=[\s(]))\[([0-9]{{1,7}})\] {re.escape(role)}{name_pattern}", re.MULTILINE)
    return (match[1] for match in wanted.finditer(text) if not within or within in words(card(text, match.start())))


def card(text: str, at: int) -> str:
    """The text of the card (list item, article) around this position; of a card of one line, the line."""
    lines = text.splitlines()
    line_number = text.count("\n", 0, at)
    indent = _indent(lines[line_number])
    for number in range(line_number - 1, -1, -1):
        if _indent(lines[number]) < indent:
            indent = _indent(lines[number])
            if _CARD_LINE.match(lines[number]):
                return "\n".join(_inside(lines[number + 1 :], indent))
    return lines[line_number]


def _inside(lines: Iterable[str], indent: int) -> Iterator[str]:
    """The lines up to the first one that is not indented more."""
    return takewhile(lambda line: _indent(line) > indent, lines)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def words(text: str) -> str:
    """The page's words in reading order: names and texts without ids, roles and marks, spaces folded."""
    bare = _ELEMENT.sub(lambda match: match["name"] or "", MARK.sub("", text))
    bare = re.sub(r'^(\s*)(?:heading|image) "(.*)"(?: level=[0-9])?$', r"\1\2", bare, flags=re.MULTILINE)
    bare = _CARD_LINE.sub("", bare)
    bare = re.sub(r'\bdeletion "(.*?)"(?=\s|$)', r"\1", bare)
    return " ".join(bare.split())
