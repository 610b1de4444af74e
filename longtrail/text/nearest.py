"""Nearest: suggests a known name for a misspelt one."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean pw-025?`: the most similar known name, ignoring case; empty if none is similar."""
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    return f"did you mean {names[near[0]]}?" if near else ""
