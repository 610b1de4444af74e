"""Rules on each decision task with its site's written rules as code: they demand its decision, and all facts count."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from pydantic import ValidationError

from longtrail.authoring.validity import CaseRule, ValidityFinding
from longtrail.tasks.task import DecisionTask
from workshop.policies import DECIDE, forum, forum_hard, shop
from workshop.validity.account_rules import share_of_returns_agrees
from workshop.validity.execution_rules import (
    carriers_reference_is_given,
    end_state_is_complete,
    request_names_one_thing,
)
from workshop.validity.hard_rules import HARD_RULES

_ORDER = re.compile(r"\b\d{9}\b")
"""An order number as a shop case writes it."""


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
        return forum_hard.needless(task.policy) if task.hard else forum.needless(task.policy)
    named_orders = {int(number) for number in _ORDER.findall(task.trigger)}
    placed = [date.fromisoformat(str(o["at"])[:10]) for o in task.story.get("orders", ()) if o["id"] in named_orders]
    return shop.needless(task.policy, min(placed, default=None))


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


POLICY_RULES: tuple[CaseRule, ...] = (
    truth_follows,
    facts_settle,
    overruled_facts_are,
    end_state_is_complete,
    carriers_reference_is_given,
    request_names_one_thing,
    share_of_returns_agrees,
    *HARD_RULES,
)
