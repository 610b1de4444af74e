"""Story pieces: what outcomes told in words are made of."""

import re
from dataclasses import dataclass

from longtrail.records.trajectory import End

_FUNCTION_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a above after all along among an and another around at before both by each every five for four he her his i in it
    its neither net no nobody nothing of on one only our round same she since six some somebody that the their there
    they this three twelve two what when
""",
    )
)
"""Words that lose their capital within a sentence; others may be names."""
MOST = 2
"""Pieces of evidence that are told of; more are counted."""


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of the story; `step` is the place in the episode (from 1) that it speaks of."""

    text: str
    step: int | None = None


def inner(sentence: str) -> str:
    """A sentence as part of another one."""
    first, space, rest = sentence.rstrip(".").partition(" ")
    bare = first.split("'")[0].casefold()
    return f"{first[:1].lower() + first[1:] if bare in _FUNCTION_WORDS else first}{space}{rest}"


def ended(end: End | None) -> str:
    """Why a phase ended, in words."""
    if end is None:
        return "it was never begun"
    told = {
        "finish": "the agent said that it was done",
        "decide": "the agent decided",
        "all_key_steps": "all key steps were reached",
        "step_limit": "its steps were used up",
        "trouble": "something broke that is not the agent's doing",
        "refusal": "the model refused",
        "agent_error": f"the agent itself failed: {end.detail}",
    }
    return told[end.reason]
