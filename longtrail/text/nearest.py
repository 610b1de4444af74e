"""Nearest: what somebody may have meant who misspelt a name."""

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean pw-025?`: the known name that is nearest, whatever its case; empty if none is near."""
    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    return f"did you mean {names[near[0]]}?" if near else ""
