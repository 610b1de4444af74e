"""The rules that need the sites' written rules as code: shipped tasks keep them, and each finds its kind of fault."""

from typing import Any

import pytest

from longtrail.authoring.validity import CaseRule
from longtrail.authoring.validity.case_rules import CASE_RULES
from longtrail.tasks.loading import load_tasks, read_tasks
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import load_shifts
from longtrail.tasks.task import DecisionTask
from longtrail.tasks.twins import load_twins
from longtrail.variants.variant import variant
from tests.authoring.validity.test_faults import SHOP, SOUND, changed, fields
from tests.pytest_plugin.pytest_process import ROOT
from tests.variants.test_variant import DECISIONS, each_seed, unvaried
from workshop.policies import DECIDE
from workshop.validity import policy_rules
from workshop.validity.__main__ import main
from workshop.validity.policy_rules import POLICY_RULES
from workshop.validity.shift_policies import faults_of_ticket, idle_facts

TASKS = load_tasks()
TWINS = load_twins()


@pytest.mark.parametrize("name", TWINS)
def test_the_rules_force_another_decision_in_a_twin(name: str) -> None:
    twin, task = TWINS[name], TASKS[TWINS[name].twin]
    assert isinstance(task, DecisionTask)
    assert DECIDE[twin.suite](twin.policy).decision == twin.truth.optimal != task.truth.optimal


@pytest.mark.parametrize("rule", [*CASE_RULES, *POLICY_RULES])
def test_twins_are_fair(rule: CaseRule) -> None:
    assert [finding for twin in TWINS.values() for finding in rule(twin)] == []


@pytest.mark.slow
@each_seed
def test_the_rules_demand_each_decision_in_a_variant(seed: int) -> None:
    for name in DECISIONS:
        task = variant(seed).tasks[name]
        assert isinstance(task, DecisionTask)
        assert task.truth == unvaried(seed, name).truth
        verdict = DECIDE[task.suite](task.policy)
        assert getattr(verdict, "decision", verdict) == task.truth.optimal, name


def test_the_example_of_the_docs_keeps_the_rules() -> None:
    (task,) = (task for task in read_tasks(ROOT / "examples/shop_task/umbrella.yaml") if isinstance(task, DecisionTask))
    assert [finding for rule in POLICY_RULES for finding in rule(task)] == []


@pytest.mark.parametrize(
    ("rule", "parts", "field"),
    [
        ("truth_follows", {"truth__optimal": "DENY", "truth__harmful": []}, "truth.optimal"),
        ("truth_follows", {"truth__riders": ["a holiday"]}, "truth.riders"),
        ("truth_follows", {"policy__given__claim": "bored"}, "policy.given.claim"),
        ("facts_settle", {"policy__found": {}}, "policy.found"),
        ("overruled_facts_are", {"facts__0__overruled": True}, f"facts.0 ({SOUND.facts[0].id})"),
    ],
)
def test_a_broken_case_is_found(rule: str, parts: dict[str, Any], field: str) -> None:
    assert list(getattr(policy_rules, rule)(SOUND)) == []
    assert field in fields(getattr(policy_rules, rule)(changed(SOUND, **parts)))


def test_a_fact_that_settles_nothing_is_found() -> None:
    """PW-014 needs five conditions; a further one changes nothing."""
    broken = changed(SOUND, policy__found={**SOUND.policy["found"], "rank": {}})
    faults = (fault for rule in (policy_rules.truth_follows, policy_rules.facts_settle) for fault in rule(broken))
    assert any(fault.field.startswith("policy") for fault in faults)


def test_a_share_of_returns_that_nobody_counts_is_found() -> None:
    """One credit memo for three orders is more than 33 per hundred: by 9.4 the care lead would decide."""
    rule = policy_rules.share_of_returns_agrees
    few = changed(SHOP["PW-082"], story__customers__0__past=None)
    assert fields(rule(few)) == {"policy.found"}
    assert fields(rule(SHOP["PW-082"])) == set()
    miscounted = changed(SHOP["PW-010"], policy__found__orders__returns__orders=8)
    assert [finding.message for finding in rule(miscounted)] == ["returns.orders is 8, but the story has 9"]


def test_required_and_supporting_facts_are_told_apart() -> None:
    """PW-047: earlier worn returns don't matter, as this item was unworn; nor the day, as the order is recent."""
    task, rule = SHOP["PW-047"], policy_rules.facts_settle
    supporting = [fact.id for fact in task.supporting]
    assert supporting == ["earlier", "delivered"]
    facts = task.model_dump(mode="json")["facts"]
    for turned, message in (({"earlier"}, "expected `supporting: true`"), ({"untouched"}, "expected no `supporting`")):
        mixed = [{**fact, "supporting": (fact["id"] in turned) != (fact["id"] in supporting)} for fact in facts]
        assert sum(message in finding.message for finding in rule(changed(task, facts=mixed))) == 1
    idle = changed(task, facts=[{**fact, "supporting": True} for fact in facts])
    assert "expected one at least that is required" in next(rule(idle)).message


def test_a_decision_of_a_shift_that_the_rules_do_not_force_is_found() -> None:
    shift = compose(load_shifts()["shift-shop-12-01"])
    ticket = next(ticket for ticket in shift.tickets if ticket.policy["alone"][0] == "APPROVE")
    assert list(faults_of_ticket(ticket, "shop")) == []
    wrong = ticket.model_copy(update={"policy": {**ticket.policy, "alone": ["DENY", "11.3"]}})
    assert any("the Handbook says" in message for message in faults_of_ticket(wrong, "shop"))


def test_a_fact_of_a_shift_that_decides_nothing_is_found() -> None:
    shifts = (compose(task) for task in load_shifts().values() if task.domain == "shop")
    ticket = next(t for shift in shifts for t in shift.tickets if t.paragraph == "11.4" and t.facts)
    assert [*idle_facts(ticket, "shop")] == []
    policy = {
        **ticket.policy,
        "start": {"goods": {"unused": True, "days": 12}},
        "found": {ticket.facts[0].id: {"goods": {"ours": True}}},
    }
    idle = ticket.model_copy(update={"policy": policy})
    assert [*idle_facts(idle, "shop")] == [f"fact {ticket.facts[0].id} is asked for and decides nothing"]


@pytest.mark.thorough
def test_the_rules_force_the_decisions_of_shipped_shifts() -> None:
    shifts = [compose(task) for task in load_shifts().values()]
    assert [
        fault for shift in shifts for ticket in shift.tickets for fault in faults_of_ticket(ticket, shift.domain)
    ] == []


def test_the_command_checks_generated_shifts_by_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--shifts", "8"]) == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "0 faults\n")


@pytest.mark.thorough  # the shop is crawled
def test_the_command_says_file_field_and_message(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "mine.yaml"
    text = (ROOT / "examples/shop_task/umbrella.yaml").read_text(encoding="utf-8")
    own.write_text(text.replace("claim: damaged", "claim: bored"), encoding="utf-8")
    assert main([str(own)]) == 1
    assert f"{own}: EX-UMBRELLA.policy.given.claim: Input should be" in capsys.readouterr().out
