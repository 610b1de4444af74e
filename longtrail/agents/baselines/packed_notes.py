"""packed_notes: opens pages in a fixed order, packs all that they say into twelve long quotations, and decides by the
trigger's wording. Its score shows what quoting everything earns.
"""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.baselines.surface import guess
from longtrail.agents.baselines.walk import Walker
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, Decide, Evidence


class PackedNotes(Walker):
    """Packs the lines of the pages read last, longest first."""

    def _decide(self) -> Decide:
        pieces: list[Evidence] = []
        for url, lines in reversed(self._walk.pages.items()):
            quote = ""
            for line in sorted(lines, key=len, reverse=True):
                if quote and len(quote) + len(line) >= MAX_QUOTE:
                    pieces.append(Evidence(source=url, quote=quote))
                    quote = ""
                quote = f"{quote} {line}".strip()[:MAX_QUOTE]
            pieces.append(Evidence(source=url, quote=quote))
        return Decide(
            decision=guess(self._assignment.prompt, self._assignment.decisions),
            justification="All that the pages say bears it out.",
            evidence=tuple(pieces[:MAX_PIECES]),
        )


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase."""
    return PackedNotes(assignment)
