"""Part 5 of the forum's moderation guide as rules: does a post say what its source says? Pictures are sources, too."""

from math import inf
from typing import Literal

from longtrail.authoring.policies.forum_matters import ReportSays, Ruling, UnknownForumFact, ask
from longtrail.records.record import Record

ROUGHLY = 0.15
"""A post that multiplies by 2 what the chart multiplies by 1.9 says what its source says."""
Says = Literal["same", "opposite", "partly", "silent"]


class SourceClaim(Record):
    """What was found out about a claim's source."""

    pictured: Literal["real", "other", "altered"] | None = None
    """Image posts: it shows what is claimed, something else, or was changed."""
    mark: str | None = None
    """Picture of a place or day: what in it tells where or when it was taken."""
    belongs: dict[str, str] = {}
    """To which place or day a mark belongs."""
    reads: str | None = None
    """Picture that may have been edited: what it reads."""
    original: str | None = None
    """What the original reads."""
    figures: tuple[float, ...] = ()
    """Chart: the first and the last figure, read off its scale."""
    stated: str | None = None
    """Sign, label, map: what its words say about the matter; `nothing` where they don't speak of it."""
    source: Says | None = None
    """What the source that the post names says about it."""
    parts: tuple[Literal["same", "opposite", "silent"], ...] = ()
    """The same for each statement of a claim of several."""
    risk: Literal["health", "money", "safety", "none"] | None = None
    """What believing it could cost somebody."""

    def judge(self, given: ReportSays) -> Ruling:
        """The guide's ruling. Raises Unknown for what was not looked up."""
        if self._pictured(given) != "real":
            return Ruling(decision="REMOVE", paragraph="5.2")
        source = self._source(given)
        if source == "same":
            return Ruling(decision="CONFIRM_FACTUAL", paragraph="5.3")
        if source == "opposite" and ask(self.risk, "risk") != "none":
            return Ruling(decision="ADD_CORRECTION_COMMENT", paragraph="5.4")
        if source == "silent":
            return Ruling(decision="NO_ACTION", paragraph="5.6")
        return Ruling(decision="APPLY_MISINFORMATION_FLAIR", paragraph="5.5")

    def _pictured(self, given: ReportSays) -> Literal["real", "other", "altered"]:
        """Is the picture what it is passed off as?"""
        if given.picture == "place":
            place = self.belongs.get(ask(self.mark, "mark"))
            return "real" if ask(place, "belongs") == given.claimed else "other"
        if given.picture == "edit":
            return "real" if ask(self.reads, "reads") == ask(self.original, "original") else "altered"
        return self.pictured or "real"

    def _source(self, given: ReportSays) -> Says:
        """What the source says about what the post says."""
        if given.picture in ("place", "edit"):
            return "same"
        if given.parts:
            return self._whole(given.parts)
        if given.picture == "figures":
            return self._change(given.factor)
        if given.picture == "text":
            stated = ask(self.stated, "stated")
            return "silent" if stated == "nothing" else "same" if stated == given.claimed else "opposite"
        return ask(self.source, "source")

    def _change(self, factor: float) -> Says:
        """A chart against a factor: about as much, the other way (or not at all), or only a part of it."""
        if len(self.figures) < 2:
            raise UnknownForumFact("figures")
        real = self.figures[-1] / self.figures[0] if self.figures[0] else inf
        if abs(real - factor) <= ROUGHLY * factor:
            return "same"
        return "opposite" if (real - 1) * (factor - 1) <= 0 else "partly"

    def _whole(self, parts: int) -> Says:
        """What the source says about the claim as a whole: what it says about each statement, else a part of it."""
        if len(self.parts) < parts:
            raise UnknownForumFact("parts")
        return self.parts[0] if len({*self.parts}) == 1 else "partly"
