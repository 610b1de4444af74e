"""Near: what a claim says is almost on its page: a line is there with another value, or holds all looked up."""

from collections.abc import Sequence

from longtrail.scoring.grounding.checks import Check
from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.wording import altered, coverage
from longtrail.scoring.grounding.words import vocabulary


def near_miss(claim: Claim, checks: Sequence[Check], inside: Sequence[Entry], least: float) -> str:
    """Words given as standing on a page are there in one line but for a value: the value was altered."""
    wanted = vocabulary(claim.text)
    share, text = coverage(wanted, inside)
    lines = lines_of(inside)
    like = next((line for line in lines if line.text == text), None)
    if like is None or share < least or (len(wanted) < 3 and share < 1):
        return ""
    for check in checks:
        if check.kind == "section":
            continue  # the number of a paragraph need not stand beside its words
        derived = check.direct is not None and not any(check.direct(line) for line in lines)
        elsewhere = derived and check.find(inside) == ""
        if derived and not elsewhere and check.kind in ("date", "duration", "percent"):
            continue  # reckoned from what stands there
        if derived and (len(wanted) >= 3 or elsewhere) and check.alike(like) and (not elsewhere or share >= 0.75):
            return f"{check.says} is not what stands there: {text.strip()[:80]}"
    return ""


def with_another_figure(text: str, checks: Sequence[Check], inside: Sequence[Entry]) -> str:
    """The line that a text has word for word with another figure: its values stand on no line there."""
    lines = lines_of(inside)
    values = [check for check in checks if check.kind not in ("", "section") and check.direct is not None]
    if values and all(any(check.direct and check.direct(line) for line in lines) for check in values):
        return ""
    return altered(text, inside)


def holding(checks: Sequence[Check], inside: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that hold everything that is looked up."""
    return tuple(entry for entry in inside if all(check.find((entry,)) != "" for check in checks))
