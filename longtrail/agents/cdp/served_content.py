"""Served content: what the bodies served for a page contain, and whether a passage or an element is among it. Uses no
browser. Passages are compared as sequences of folded words. A line may combine pieces of the page (cells, a field's
name and options): each piece must be present.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from longtrail.records.trajectory import Target
from longtrail.text.folding import fold, squeeze

_WORD = re.compile(r"\w+")
BETWEEN = "\x01"
"""Between the pieces of a line (`page/forms.js`)."""


def plain(text: str) -> str:
    """The folded words with single spaces, also at both ends."""
    return f" {' '.join(_WORD.findall(fold(text)))} "


@dataclass(frozen=True, slots=True)
class ServedElement:
    """An interactive element of a served document."""

    role: str
    name: str
    material: str
    """All texts that can form its name, as plain words."""


@dataclass
class ServedContent:
    """What was served for one page."""

    texts: list[str] = field(default_factory=list)
    """Its text as plain words, each between spaces."""
    elements: list[ServedElement] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    """Addresses that the page's own code requests when it is opened."""
    pictures: set[str] = field(default_factory=set)
    """Addresses of its pictures."""

    @classmethod
    def of_page(cls, told: dict[str, Any], asked: Iterable[str] = ()) -> "ServedContent":
        """From the report of `page/served.js`."""
        elements = [ServedElement(role, squeeze(name), plain(material)) for role, name, material in told["elements"]]
        texts = [plain(piece) for text in (told["title"], *told["texts"]) for piece in text.split(BETWEEN)]
        return cls([text for text in texts if text.strip()], elements, set(asked), set(told["pictures"]))

    @classmethod
    def of_data(cls, text: str) -> "ServedContent":
        """From a data response: the values of JSON, or the text."""
        try:
            values = list(_values(json.loads(text)))
        except ValueError:
            values = [text]
        return cls([words for value in values if (words := plain(value)).strip()])

    def __add__(self, other: "ServedContent") -> "ServedContent":
        return ServedContent(
            [*self.texts, *other.texts],
            [*self.elements, *other.elements],
            self.asked | other.asked,
            self.pictures | other.pictures,
        )

    @cached_property
    def _all(self) -> str:
        return "\n".join(self.texts)

    def holds(self, source: str) -> bool:
        """Whether every piece of this passage was served."""
        return all(words in self._all for piece in source.split(BETWEEN) if (words := plain(piece)).strip())

    def has(self, target: Target) -> bool:
        """Whether an element of this role and name was served. For roles that HTML does not have, the words decide."""
        name = squeeze(target.name)
        if target.role == "clickable":
            return self.holds(target.name)
        words = plain(name)
        return any(
            element.role == target.role and (element.name == name or (bool(name) and words in element.material))
            for element in self.elements
        )


def _values(data: object) -> Iterator[str]:
    if isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)
    elif data is not None:
        yield str(data)
