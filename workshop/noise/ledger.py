"""Ledger: counts how often each form of a sentence was used in a whole pool, so that no form is used too often.

A sentence's form is what remains when quotations, capitalised words and figures are masked.
"""

import re
from collections import Counter
from collections.abc import Iterable

OFTEN = 5
"""A form used this often counts as a template."""
_MASKS = (
    (re.compile(r'"[^"]*"|“[^”]*”'), "Q"),
    (re.compile(r"[\d.,$:/%-]*\d[\d.,:/%-]*"), "#"),
    (re.compile(r"[A-Z][\w’'&.-]*( [A-Z][\w’'&.-]*)*"), "N"),
    (re.compile(r"\s+"), " "),
)
_SENTENCE = re.compile(r'(?<=[.!?])\s+(?=[A-Z"“])')


def form(sentence: str) -> str:
    """A sentence without what differs from page to page."""
    for pattern, mark in _MASKS:
        sentence = pattern.sub(mark, sentence)
    return sentence


def forms(text: str) -> list[str]:
    """The forms of a text's sentences."""
    return [form(sentence) for sentence in _SENTENCE.split(text) if sentence]


class Ledger:
    """Counts the forms of what was written so far."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._uses = Counter(sentence_form for text in texts for sentence_form in forms(text))

    def uses(self, text: str) -> int:
        """How often the most frequent form among a text's sentences was used so far."""
        return max((self._uses[sentence_form] for sentence_form in forms(text)), default=0)

    def counted(self) -> dict[str, int]:
        """Form -> how often it was used."""
        return dict(self._uses)

    def add(self, text: str) -> None:
        """Count a text that was written."""
        self._uses.update(forms(text))
