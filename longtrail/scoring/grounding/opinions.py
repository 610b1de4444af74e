"""Opinions: what judges or supposes and tells nothing, so that no page can bear it out."""

import re

from longtrail.scoring.grounding.words import listed
from longtrail.text.folding import fold, squeeze

_JUDGED = re.compile(rf"\b(?:{'|'.join(sorted(listed('opinion') | listed('supposed')))})\b")
_MEANT = re.compile(
    r"\b(?:may|could|must) (?:well )?have\b|\bpeople (?:\w+ )?(?:always|usually|often|tend)\b|\balways get\b"
    r"|\bmeant (?:it )?(?:well|no harm|kindly)\b|\bonly (?:wanted|meant|wished|hoped|tried) to\b"
    r"|\bin (?:good|bad) (?:faith|grace|spirit)\b|\b(?:anybody|anyone|everybody|everyone)'s\b"
    r"|\bstrikes? (?:a|one|me|the)\b|\bin my (?:view|opinion)\b"
    r"|\bit is (?:better|best|right|wrong|good|hard) (?:to|that)\b"
)


_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]|(?<!\w)['‘].*['’](?!\w)")
_OWN = re.compile(
    r"\bi (?:guess|hope|wish|feel|suppose|fear|prefer|wonder|doubt)\b|\bi(?:'d| would) (?:rather|sooner|say|like)\b"
)


_ONES_HEAD = re.compile(
    r"(?:(?:my|our|own|personal|general|common|professional|overall) )*(?:note to self|common sense|impressions?"
    r"|observations?|judge?ments?|opinions?|hunch|feelings?|reasoning|inferences?|conclusions?|assessments?"
    r"|experience|thoughts?|belief|intuition)"
)
"""Given as a source: what comes from nowhere but the writer's own head."""


def from_ones_head(source: str) -> bool:
    """Whether a source is no page, but what somebody thinks: `my impression`."""
    return _ONES_HEAD.fullmatch(squeeze(source)) is not None


def own(text: str) -> bool:
    """Whether somebody tells what they themselves would like or guess: no value in it need have been delivered."""
    return _OWN.search(_QUOTED.sub(" ", fold(text))) is not None


def opinion(text: str) -> bool:
    """Whether a text judges, supposes, or says what somebody had in mind."""
    said = fold(text)
    return _JUDGED.search(said) is not None or _MEANT.search(said) is not None
