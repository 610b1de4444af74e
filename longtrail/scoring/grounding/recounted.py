"""Recounted: a sentence of the pages told in other words, though nothing in it is a value or a name to look up."""

from collections.abc import Sequence

from longtrail.scoring.grounding.ledger import Entry
from longtrail.scoring.grounding.opinions import opinion
from longtrail.scoring.grounding.passages import sharing
from longtrail.scoring.grounding.words import vocabulary

MANY, SEVERAL = 4, 3
"""With so many words in common a passage may be what is told; with the fewer ones only if no other one comes near."""
NEARLY, HALF = 0.75, 0.5


def recounted(text: str, entries: Sequence[Entry]) -> str:
    """The one sentence of a record that a text tells; empty if none is so much more alike than the others."""
    wanted = vocabulary(text)
    if len(wanted) < SEVERAL or opinion(text):
        return ""
    like = {passage.text: (shared, len(passage.words)) for shared, passage in sharing(wanted, entries, 2)}
    ranked = sorted(like.items(), key=lambda item: -item[1][0])
    if not ranked:
        return ""
    line, (shared, held) = ranked[0]
    following = ranked[1][1][0] if len(ranked) > 1 else 0
    most = shared >= HALF * held or shared >= NEARLY * len(wanted)
    whole = shared >= NEARLY * held and shared >= HALF * len(wanted)
    if (shared >= MANY and shared > following and most) or (shared == SEVERAL and not following and whole):
        return line
    return ""
