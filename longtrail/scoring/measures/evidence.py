"""Evidence: which required facts the agent was shown, and which it stated (PATHWAYS: investigation and reasoning)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from longtrail.checks.facts import Distractor, Fact
from longtrail.checks.pictures_seen import seen as seen_picture
from longtrail.records.action import Decide
from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step
from longtrail.scoring.measures.pasted import grams, long, own_words
from longtrail.text.alternatives import Alternative
from longtrail.text.folding import squeeze
from longtrail.text.matcher import MatchSpan, matches
from longtrail.text.page_words import words_of

ACTIVE = frozenset({"scroll", "click", "fill", "select", "decide"})
"""Actions by which a page counts as read."""


def find(alternatives: Iterable[Alternative], text: str, now: datetime, *, asserted: bool = False) -> MatchSpan | None:
    """The first of these that a text says."""
    return next((span for a in alternatives if (span := matches(a, text, now, asserted=asserted))), None)


def delivered(
    fact: Fact, steps: Sequence[Step], trail: Sequence[frozenset[str]], now: datetime, *, sees: bool = False
) -> int | None:
    """Number of the first step whose observation showed the fact, or None.

    Its words must stand in the observation as given to the agent, truncation included. What the agent wrote itself
    (a comment, a search) is no evidence. A fact that stands in a picture is shown by screenshots of that picture, to an
    agent that `sees` them, and by nothing else.
    """
    if fact.pictured:
        return seen_picture(fact.pages, steps, trail) if sees else None
    written: list[str] = []
    for step in steps:
        text = words_of(step.observation)
        for alternative in fact.shown:
            if matches(alternative, _without(text, written, alternative, now), now):
                return step.number
        written += _written(step)
    return None


def judge(
    facts: Sequence[Fact],
    steps: Sequence[Step],
    trail: Sequence[frozenset[str]],
    now: datetime,
    *,
    sees: bool = False,
) -> tuple[FactResult, ...]:
    """Every required fact: when it was shown, when it was said, and whether that counts (said once it was shown)."""
    said = tuple(statements(steps))
    return tuple(_judge(fact, said, delivered(fact, steps, trail, now, sees=sees), now) for fact in facts)


def _judge(fact: Fact, said: Sequence["Statement"], shown: int | None, now: datetime) -> FactResult:
    alternatives = (*fact.shown, *fact.said)
    first: int | None = None
    pasted = False
    for number, text, own in said:
        if find(alternatives, text, now, asserted=True):
            first = first or number
            if shown is not None and number >= shown:
                if own is text or find(alternatives, own, now, asserted=True):
                    reason = f"shown at step {shown}, said at step {number}"
                    return _result(fact, shown, number, counted=True, reason=reason)
                pasted = True
    if first is None:
        reason = f"shown at step {shown}, never said" if shown else "never shown, never said"
        return _result(fact, shown, None, reason=reason)
    if pasted:
        return _result(
            fact, shown, first, reason=f"shown at step {shown}, but only pasted back with the page around it"
        )
    when = f"shown only at step {shown}" if shown else "never shown"
    return _result(fact, shown, first, reason=f"said at step {first}, but {when}")


def _result(fact: Fact, shown: int | None, said: int | None, *, counted: bool = False, reason: str) -> FactResult:
    return FactResult(
        id=fact.id,
        says=fact.says,
        delivered=shown,
        said=said is not None,
        said_at=said,
        counted=counted,
        reason=reason,
    )


Statement = tuple[int, str, str]
"""Step number, what the agent said, and the same without pages pasted into it."""


def statements(steps: Sequence[Step]) -> Iterator[Statement]:
    """All that the agent said: thoughts, and the decision with its reasons."""
    seen: set[tuple[str, ...]] = set()
    counted = 0
    for place, step in enumerate(steps, start=1):
        texts = [step.thought] if step.thought else []
        if isinstance(step.action, Decide):
            texts.append(reasons(step.action))
        for text in texts:
            if not long(text):
                yield step.number, text, text
                continue
            seen |= grams(words_of(earlier.observation) for earlier in steps[counted:place])
            counted = place
            yield step.number, text, own_words(text, seen)


def reasons(decision: Decide) -> str:
    """A decision's justification and quoted evidence."""
    return "\n".join([decision.justification, *(f"{e.source}: {e.quote}" for e in decision.evidence)])


def asserted_distractors(distractors: Sequence[Distractor], decision: Decide, now: datetime) -> tuple[str, ...]:
    """Ids of the distractors that a decision gives as reasons."""
    return tuple(d.id for d in distractors if find(d.said, reasons(decision), now, asserted=True))


def contradicted(facts: Sequence[Fact], decision: Decide, now: datetime) -> tuple[str, ...]:
    """Ids of the required facts of which a decision's reasons say the opposite, and nowhere the thing itself."""
    text = reasons(decision)
    return tuple(
        fact.id
        for fact in facts
        if not find((*fact.shown, *fact.said), text, now)
        and any(matches(a, text, now, polarity="negated", asserted=True) for a in (*fact.shown, *fact.said))
    )


def _written(step: Step) -> list[str]:
    """What the agent itself put on the page or into the address, line by line."""
    action = step.action
    texts = [step.outcome.value]
    if action is not None:
        texts += [str(getattr(action, name, "")) for name in ("text", "query", "url")]
    return [line for text in texts for line in text.splitlines() if line.strip()]


def _without(text: str, written: Sequence[str], alternative: Alternative, now: datetime) -> str:
    """A text without the lines that repeat what the agent wrote, where that says the very thing that is looked for."""
    own = [squeeze(line) for line in written if matches(alternative, line, now)]
    if not own:
        return text
    return "\n".join(line for line in text.split("\n") if not any(line_ in squeeze(line) for line_ in own))
