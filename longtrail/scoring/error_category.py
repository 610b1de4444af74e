"""Error categories: why a long-context case failed, and whether its agent did the same again and again (long-context
paper, error analysis)."""

from collections.abc import Collection, Sequence

from longtrail.checks.key_steps import Hit
from longtrail.records.trajectory import End, Step


def error_category(parts: Sequence[tuple[Sequence[Hit], Sequence[Step], End | None]]) -> tuple[str, str]:
    """The category (see `measures.yaml`) and the reason. `parts`: hits, steps and end of each part in order. The first
    part with a missing key step, or that an agent error ended, decides.
    """
    for hits, steps, end in parts:
        missing = [hit.name for hit in hits if hit.step is None]
        if missing or (end is not None and end.reason == "agent_error"):
            return _why(missing, hits, steps, end)
    return "success", "all key steps were hit"


def _why(missing: Sequence[str], hits: Sequence[Hit], steps: Sequence[Step], end: End | None) -> tuple[str, str]:
    lacking = f"{', '.join(missing)} missing" if missing else "all key steps were hit"
    if end is None:
        return "other", f"the part was never played; {lacking}"
    if end.reason in ("finish", "decide"):
        return "false_end", f"the agent finished; {lacking}"
    if end.reason == "step_limit":
        malformed = sum(step.malformed for step in steps)
        if steps and 2 * malformed >= len(steps):
            return "no_valid_action", f"{malformed} of {len(steps)} answers had no valid action; {lacking}"
        again = loop([signature(step) for step in steps], {hit.step for hit in hits if hit.step is not None})
        return ("loop", f"{again}; {lacking}") if again else ("inefficient_progress", f"at the step limit, {lacking}")
    return "other", f"{end.reason}{': ' + end.detail if end.detail else ''}; {lacking}"


Signature = tuple[str, ...]


def signature(step: Step) -> Signature:
    """What a step did, and where: the action, its target (the element's role and name, or the address), the words that
    it gave, the page's address, and a hash of its text. Malformed actions on the same page are equal."""
    action, element = step.action, step.outcome.target
    kind = action.type if action else "invalid"
    target = f"{element.role} {element.name}" if element else str(getattr(action, "url", getattr(action, "id", "")))
    inputs = (str(getattr(action, name, "")) for name in ("text", "option", "query", "direction", "answer", "decision"))
    page = step.observation.text_hash or step.observation.text
    return kind, target, "".join(inputs), step.observation.url, page


def loop(signatures: Sequence[Signature], new_hits: Collection[int] = ()) -> str:
    """Why a part that ended at its step limit is a loop, or an empty text.

    It is a loop if the last three or more signatures are equal, or the end is a cycle of period 2 or 3 with at least
    two complete repetitions, or at least half of the steps repeat an earlier signature and no key step was newly hit
    in the second half. `new_hits`: numbers (from 1) of the steps that hit a key step first.
    """
    count = len(signatures)
    if count >= 3 and len(set(signatures[-3:])) == 1:
        return "the last steps are all the same"
    for period in (2, 3):
        if count >= 2 * period and signatures[-2 * period : -period] == signatures[-period:]:
            return f"the last steps repeat a cycle of {period}"
    repeats = sum(signature in signatures[:index] for index, signature in enumerate(signatures))
    if count and 2 * repeats >= count and not any(2 * number > count for number in new_hits):
        return f"{repeats} of {count} steps repeat an earlier one, and nothing new was reached in the second half"
    return ""
