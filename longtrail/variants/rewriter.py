"""Rewriter: replaces marked parts of all texts of a source, in one pass, so that two names can change places."""

import re
from collections.abc import Callable, Mapping
from typing import Any

Rule = tuple[str, Callable[[re.Match[str]], str]]
"""What is searched for, and what replaces a match (which may be the match itself)."""
Path = tuple[str, ...]


def as_it_is(_: Path, value: Any) -> Any:
    """Leave a number as it is."""
    return value


class Rewriter:
    """Rewrites trees of dictionaries, lists and values. At each place of a text the first rule that matches applies."""

    def __init__(self, rules: Mapping[str, Rule], number: Callable[[Path, Any], Any] = as_it_is) -> None:
        """`rules`: by name. `number`: the new value of a number, by the names of the fields above it."""
        self._pattern = re.compile("|".join(f"(?P<{name}>{pattern})" for name, (pattern, _) in rules.items()))
        self._replace = {name: replace for name, (_, replace) in rules.items()}
        self._number = number

    def text(self, text: str) -> str:
        """A text with everything replaced."""
        return self._pattern.sub(lambda match: self._replace[match.lastgroup or ""](match), text)

    def tree(self, value: Any, path: Path = ()) -> Any:
        """A tree with all texts, keys and numbers replaced."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.tree(key, path): self.tree(item, (*path, str(key))) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.tree(item, path) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self._number(path, value)
        return value


def any_of(phrases: Mapping[str, str]) -> str:
    """A pattern for whole phrases, the longest first; one that matches nothing if there are none."""
    choices = "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))
    return rf"(?<![A-Za-z])(?:{choices})(?![A-Za-z])" if choices else r"(?!)"


def texts(value: Any) -> list[str]:
    """All texts of a tree, keys included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for pair in value.items() for item in pair for text in texts(item)]
    if isinstance(value, list | tuple):
        return [text for item in value for text in texts(item)]
    return []


def numbers(value: Any, field: str = "") -> list[tuple[str, float]]:
    """All numbers of a tree, each with the name of its field."""
    if isinstance(value, Mapping):
        return [pair for key, item in value.items() for pair in numbers(item, str(key))]
    if isinstance(value, list | tuple):
        return [pair for item in value for pair in numbers(item, field)]
    return [(field, float(value))] if isinstance(value, int | float) and not isinstance(value, bool) else []
