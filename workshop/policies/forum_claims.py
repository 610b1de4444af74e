"""Part 5 of the forum's moderation guide as rules: does a post agree with its source? Pictures are sources, too."""

from math import inf
from typing import Literal

from longtrail.records.record import Record
from workshop.policies.forum_matters import ReportSays, Ruling, UnknownForumFact, ask

ROUGHLY = 0.15
"""Tolerance of factors: a post's factor 2 agrees with a chart's factor 1.9."""
Says = Literal["same", "opposite", "partly", "silent"]


class SourceClaim(Record):
    """What was found about a claim's source."""

    pictured: Literal["real", "other", "altered"] | None = None
    """Image posts: whether it shows what is claimed, shows something else, or was changed."""
    mark: str | None = None
    """Picture of a place or day: the details that show where or when it was taken."""
    belongs: dict[str, str] = {}
    """The place or day that a detail belongs to."""
    reads: str | None = None
    """Picture that may have been edited: its text."""
    original: str | None = None
    """The original's text."""
    figures: tuple[float, ...] = ()
    """Chart: the first and the last figure, read off its scale."""
    stated: str | None = None
    """Sign, label, map: what its text says about the matter; `nothing` if it does not mention it."""
    source: Says | None = None
    """What the source named by the post says about it."""
    parts: tuple[Literal["same", "opposite", "silent"], ...] = ()
    """The same for each statement of a claim with several statements."""
    risk: Literal["health", "money", "safety", "none"] | None = None
    """The harm that could come to somebody who believes it."""

    def apply(self, report: ReportSays) -> Ruling:
        """The guide's ruling. Raises UnknownForumFact for a field without a value."""
        if self._pictured(report) != "real":
            return Ruling(decision="REMOVE", paragraph="5.2")
        source = self._source(report)
        if source == "same":
            return Ruling(decision="CONFIRM_FACTUAL", paragraph="5.3")
        if source == "opposite" and ask(self.risk, "risk") != "none":
            return Ruling(decision="ADD_CORRECTION_COMMENT", paragraph="5.4")
        if source == "silent":
            return Ruling(decision="NO_ACTION", paragraph="5.6")
        return Ruling(decision="APPLY_MISINFORMATION_FLAIR", paragraph="5.5")

    def _pictured(self, report: ReportSays) -> Literal["real", "other", "altered"]:
        """Does the picture show what the post says it shows?"""
        if report.picture == "place":
            place = self.belongs.get(ask(self.mark, "mark"))
            return "real" if ask(place, "belongs") == report.claimed else "other"
        if report.picture == "edit":
            return "real" if ask(self.reads, "reads") == ask(self.original, "original") else "altered"
        return self.pictured or "real"

    def _source(self, report: ReportSays) -> Says:
        """What the source says about the claim."""
        if report.picture in ("place", "edit"):
            return "same"
        if report.parts:
            return self._whole(report.parts)
        if report.picture == "figures":
            return self._change(report.factor)
        if report.picture == "text":
            stated = ask(self.stated, "stated")
            return "silent" if stated == "nothing" else "same" if stated == report.claimed else "opposite"
        return ask(self.source, "source")

    def _change(self, factor: float) -> Says:
        """Compare a chart with a claimed factor: about the same, opposite (or no change), or only a part of it."""
        if len(self.figures) < 2:
            raise UnknownForumFact("figures")
        real = self.figures[-1] / self.figures[0] if self.figures[0] else inf
        if abs(real - factor) <= ROUGHLY * factor:
            return "same"
        return "opposite" if (real - 1) * (factor - 1) <= 0 else "partly"

    def _whole(self, parts: int) -> Says:
        """The source on the whole claim: its verdict on every statement if they agree, otherwise `partly`."""
        if len(self.parts) < parts:
            raise UnknownForumFact("parts")
        return self.parts[0] if len({*self.parts}) == 1 else "partly"
