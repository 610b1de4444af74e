"""Rules on each decision task: the truth follows from the facts, and no text reveals it."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from pydantic import ValidationError

from longtrail.authoring.policies import DECIDE
from longtrail.authoring.policies import forum as policy_forum
from longtrail.authoring.policies import forum_hard as policy_forum_hard
from longtrail.authoring.policies import shop as policy_shop
from longtrail.authoring.validity.account_rules import share_of_returns_agrees
from longtrail.authoring.validity.execution_rules import (
    carriers_reference_is_given,
    end_state_is_complete,
    request_names_one_thing,
)
from longtrail.authoring.validity.finding import CaseRule, ValidityFinding
from longtrail.authoring.validity.hard_rules import HARD_RULES
from longtrail.checks.decisions import decision_table
from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.tasks.task import DECISION_STEP_LIMIT, DecisionTask
from longtrail.text.matcher import Alternative, find

_ORDER = re.compile(r"\b\d{9}\b")
"""An order number as a shop case writes it."""
_VERDICTS = re.compile(
    r"\b(approv|deny\b|denie|denial|escalat|brigad|misinformation|false.alarm)\w*"
    r"|\b(PROVIDE_CONTEXT|REMOVE_ALL|LOCK_THREAD|ADD_CORRECTION|NO_ACTION)",
    re.IGNORECASE,
)
"""Words of decisions and categories, which guidance must not use."""
_ANSWERED = frozenset({"PROVIDE_CONTEXT_AWARE_RESPONSE", "ADD_WARNING_COMMENT"})
"""The decisions that come with a message to somebody."""


def _stated(facts: tuple[Fact, ...], text: str, *, paraphrases: bool = True) -> list[str]:
    """The facts that a text states (`paraphrases`: also in other words than the page's)."""
    return [fact.id for fact in facts if find((*fact.shown, *(fact.said if paraphrases else ())), text, NOW)]


def _asserted(distractors: tuple[Distractor, ...], text: str) -> list[str]:
    return [d.id for d in distractors if find(d.said, text, NOW)]


def truth_follows(task: DecisionTask) -> Iterator[ValidityFinding]:
    """`decision == policy(facts)`."""
    try:
        verdict = DECIDE[task.suite](task.policy)
    except ValidationError as error:
        first = error.errors()[0]
        yield ValidityFinding(f"policy.{'.'.join(map(str, first['loc']))}", first["msg"], (task.id,))
        return
    decided = getattr(verdict, "decision", None)
    if decided is None:
        yield ValidityFinding("policy", f"the policy can't decide: it needs {verdict.missing}", (task.id,))
    elif decided != task.truth.optimal:
        yield ValidityFinding("truth.optimal", f"the policy says {decided}", (task.id,))
    elif strange := sorted(set(task.truth.riders) - set(getattr(verdict, "riders", ()))):
        yield ValidityFinding("truth.riders", f"the policy does not grant {', '.join(strange)}", (task.id,))


def facts_settle(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Each fact has an entry; a fact is required if another possible value would change the decision."""
    settled, fact_ids = set(task.policy.get("found", {})), {fact.id for fact in task.investigation_facts}
    if settled != fact_ids:
        missing, strange = sorted(fact_ids - settled), sorted(settled - fact_ids)
        yield ValidityFinding("policy.found", f"expected one entry a fact; {missing=}, {strange=}", (task.id,))
        return
    if any(truth_follows(task)):
        return
    if not task.required:
        yield ValidityFinding("facts", "all are supporting; expected one at least that is required", (task.id,))
    needless = set(needless_facts(task))
    for number, fact in enumerate(task.facts):
        if fact.id in needless and not fact.supporting:
            message = "it can't change the decision, whatever its value; expected `supporting: true`"
            yield ValidityFinding(f"facts.{number} ({fact.id})", message, (task.id,))
        elif fact.supporting and fact.id not in needless:
            message = "it could change the decision; expected no `supporting`"
            yield ValidityFinding(f"facts.{number} ({fact.id})", message, (task.id,))


def needless_facts(task: DecisionTask) -> list[str]:
    """The ids of the facts that can't change the decision, whatever their values."""
    if task.base_suite == "reddit":
        return policy_forum_hard.needless(task.policy) if task.hard else policy_forum.needless(task.policy)
    named_orders = {int(number) for number in _ORDER.findall(task.trigger)}
    placed = [date.fromisoformat(str(o["at"])[:10]) for o in task.story.get("orders", ()) if o["id"] in named_orders]
    return policy_shop.needless(task.policy, min(placed, default=None))


def overruled_facts_are(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Another record prevails over an overruled fact: the decision is the same without it, or another fact settles the
    same fields."""
    settled = task.policy.get("found", {})
    for number, fact in enumerate(task.facts):
        if not fact.overruled or fact.id not in settled:
            continue
        other_facts = {name: settles for name, settles in settled.items() if name != fact.id}
        without = getattr(DECIDE[task.suite]({**task.policy, "found": other_facts}), "decision", None)
        if without != task.truth.optimal and not _fields(settled[fact.id]) & {
            field for settles in other_facts.values() for field in _fields(settles)
        }:
            message = "nothing prevails over it: without it the decision is another; expected no `overruled`"
            yield ValidityFinding(f"facts.{number} ({fact.id})", message, (task.id,))


def _fields(settles: Mapping[str, Mapping[str, object]]) -> set[tuple[str, str]]:
    return {(section, field) for section, fields in settles.items() for field in fields}


def guidance_is_silent(task: DecisionTask) -> Iterator[ValidityFinding]:
    """The agent's texts contain neither a fact nor a decision."""
    texts = {"trigger": task.trigger, "prompts.hint": task.prompts.hint}
    for field, text in texts.items():
        for fact in _stated(task.investigation_facts, text):
            yield ValidityFinding(field, f"tells the fact {fact}", (task.id,))
        if word := _VERDICTS.search(text):
            yield ValidityFinding(field, f"gives the decision away: {word[0]!r}", (task.id,))


def appeals_are_silent(task: DecisionTask) -> Iterator[ValidityFinding]:
    """An appeal reveals no fact."""
    for kind in ("deceptive", "valid"):
        for turn, text in enumerate(getattr(task.appeal, kind)):
            for fact in _stated(task.investigation_facts, text):
                yield ValidityFinding(f"appeal.{kind}.{turn}", f"tells the fact {fact}", (task.id,))


def reference_is_complete(task: DecisionTask) -> Iterator[ValidityFinding]:
    """The reference states every fact, asserts no distractor, and decides within the step limit."""
    justification, path = task.reference.justification, task.reference.path
    for fact in sorted({fact.id for fact in task.required} - set(_stated(task.required, justification))):
        yield ValidityFinding("reference.justification", f"does not state the fact {fact}", (task.id,))
    for distractor in _asserted(task.distractors, justification):
        yield ValidityFinding("reference.justification", f"asserts the distractor {distractor}", (task.id,))
    if not path[-1].decide:
        yield ValidityFinding("reference.path", "expected `decide` as its last move", (task.id,))
    limit = task.step_limit or DECISION_STEP_LIMIT
    if (steps := sum(move.read is None for move in path)) > limit:
        yield ValidityFinding("reference.path", f"takes {steps} steps; the limit is {limit}", (task.id,))


def distractors_are_harmless(task: DecisionTask) -> Iterator[ValidityFinding]:
    """No distractor states a fact."""
    for number, distractor in enumerate(task.distractors):
        for text in (distractor.says, *map(_plain, distractor.said)):
            for fact in _stated(task.investigation_facts, text, paraphrases=text != distractor.says):
                yield ValidityFinding(f"distractors.{number}", f"{text!r} states the fact {fact}", (task.id,))


def _plain(way: Alternative) -> str:
    return way if isinstance(way, str) else " ".join(way.words)


def response_keeps_its_rule(task: DecisionTask) -> Iterator[ValidityFinding]:
    """If an answer to somebody is required, the reference's says what it must and nothing that it must not."""
    text = task.reference.response
    for fact in sorted({fact.id for fact in task.response.must} - set(_stated(task.response.must, text))):
        yield ValidityFinding("reference.response", f"lacks {fact}", (task.id,))
    for forbidden in task.response.must_not:
        if find(forbidden.said, text, NOW):
            yield ValidityFinding("reference.response", f"says {forbidden.id}, which it must not", (task.id,))
    if bool(task.response.must) != (task.truth.optimal in _ANSWERED):
        yield ValidityFinding("response.must", "expected if, and only if, the decision includes an answer", (task.id,))


def decision_is_known(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Truth, alternatives and harmful decisions are words of the suite, and don't contradict each other."""
    table = decision_table(task.suite)
    for field in ("acceptable", "harmful"):
        for word in getattr(task.truth, field) or ():
            if table.resolve(word) is None:
                yield ValidityFinding(f"truth.{field}", f"{word!r} is no decision of {task.suite}", (task.id,))
    if table.resolve(task.truth.optimal) is None:
        yield ValidityFinding("truth.optimal", f"{task.truth.optimal!r} is no decision of {task.suite}", (task.id,))
    if both := {task.truth.optimal, *(task.truth.acceptable or ())} & {*task.truth.harmful}:
        yield ValidityFinding("truth.harmful", f"{', '.join(sorted(both))} can't be both right and harmful", (task.id,))


CASE_RULES: dict[str, CaseRule] = {
    rule.__name__: rule
    for rule in (
        decision_is_known,
        truth_follows,
        facts_settle,
        overruled_facts_are,
        guidance_is_silent,
        appeals_are_silent,
        reference_is_complete,
        distractors_are_harmless,
        response_keeps_its_rule,
        end_state_is_complete,
        carriers_reference_is_given,
        request_names_one_thing,
        share_of_returns_agrees,
        *HARD_RULES,
    )
}
