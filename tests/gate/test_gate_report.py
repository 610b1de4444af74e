"""Judge: every verdict, every reason for INVALID, and what must never matter."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longtrail.gate.gate_report import conflicts, gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.records.trajectory import Contender
from longtrail.runs.baseline import Scores
from longtrail.yaml_file import read_yaml
from tests.gate.made_scores import MINE, OPTIONS, OUTCOMES, decision, long, manifest, provenance, scores, shop

RULES = GateRules()
GOOD = {f"PW-{number:03}": [1.0, 1.0, 1.0] for number in range(1, 31)}
WORSE = {task: [0.0, 0.0, 0.0] if number < 6 else values for number, (task, values) in enumerate(GOOD.items())}
MIXED = {f"PW-{number:03}": [float(number % 2), 1.0, 0.0] for number in range(1, 13)}


def test_the_figures_of_a_regression() -> None:
    """6 of 30 tasks lose all three repeats: C(6, 3) arrangements each, and 24 tasks that never changed."""
    found = gate_report(shop(GOOD, "main"), shop(WORSE, "mine"), RULES)
    primary = found.suites[0].primary
    assert (primary.endpoint, primary.before, primary.after, primary.tasks, primary.pairs) == ("proven", 1, 0.8, 30, 90)
    assert primary.change == pytest.approx(-0.2)
    assert primary.p == primary.adjusted == pytest.approx(20**-6)
    assert [finding.task for finding in found.suites[0].regressed] == [f"PW-00{n}" for n in range(1, 7)]
    assert found.suites[0].regressed[0].reason == "proven is 0"
    assert (found.before, found.after) == ("main (my_agent:make)", "mine (my_agent:make)")
    assert {finding.endpoint for finding in found.suites[0].secondary} == {"investigation", "decision"}


def test_one_significant_suite_is_enough_and_every_suite_must_pass() -> None:
    songs = [long(f"song{n}", 1.0, r) for n in range(30) for r in range(3)]
    sick = [long(f"song{n}", float(n > 7), r) for n in range(30) for r in range(3)]
    shopping = list(shop(GOOD).cases)
    before = scores(shopping + songs)
    assert gate_report(before, scores(shopping + songs), RULES).verdict == "PASS"
    assert gate_report(before, scores(shopping + sick), RULES).verdict == "REGRESSION"
    wide = [long(f"song{n}", float(n % 2), r) for n in range(4) for r in range(3)]
    assert gate_report(scores(shopping + wide), scores(shopping + wide), RULES).verdict == "NO REGRESSION FOUND"


def test_suites_share_alpha() -> None:
    """Five of five changed pairs: p = 1/32, alone a regression; beside another suite Holm makes it 1/16."""
    before, after = [], []
    for number in range(20):
        before.append(decision(f"PW-{number:03}", 1.0))
        after.append(decision(f"PW-{number:03}", float(number >= 5)))
    songs = [long(f"song{number}", 1.0) for number in range(20)]
    assert gate_report(scores(before), scores(after), RULES).verdict == "REGRESSION"
    found = gate_report(scores(before + songs), scores(after + songs), RULES)
    assert found.verdict == "NO REGRESSION FOUND"
    assert found.suites[0].primary.adjusted == pytest.approx(2 / 32)


def test_secondary_endpoints_never_decide() -> None:
    before = [decision(f"PW-{n:03}", 1.0, r, values={"executed": 1.0}) for n in range(30) for r in range(3)]
    after = [decision(f"PW-{n:03}", 1.0, r, values={"executed": 0.0}) for n in range(30) for r in range(3)]
    found = gate_report(scores(before), scores(after), RULES)
    assert found.verdict == "PASS"
    executed = next(finding for finding in found.suites[0].secondary if finding.endpoint == "executed")
    assert executed.adjusted < 1e-6


def test_lengths_of_a_repeat_are_one_value() -> None:
    """They share their first part: 3 lengths x 2 repeats of 10 tasks are 20 pairs, not 60."""
    cases = [long(f"song{n}", 1.0, r, length) for n in range(10) for r in range(2) for length in (0, 25_000, 50_000)]
    found = gate_report(scores(cases), scores(cases), RULES).suites[0]
    assert (found.primary.pairs, found.primary.tasks) == (20, 10)
    titles = [finding.endpoint for finding in found.secondary]
    assert titles == ["success_a2", "key_step_rate", "success at 0", "success at 25k", "success at 50k"]


def test_controls_stand_aside() -> None:
    """`relocated` and appeals are no part of the primary endpoint, unless there is nothing else."""
    moved = [long(f"song{n}", 0.0, relocated=True) for n in range(10)]
    plain = [long(f"song{n}", 1.0) for n in range(10)]
    found = gate_report(scores(plain + moved), scores(plain + moved), RULES).suites[0]
    assert found.primary.after == 1.0
    assert "success, relocated" in {finding.endpoint for finding in found.secondary}
    assert gate_report(scores(moved), scores(moved), RULES).suites[0].primary.after == 0.0
    appeals = [decision(f"PW-{n:03}", 1.0, appeal="deceptive") for n in range(10)]
    found = gate_report(scores(appeals), scores(appeals), RULES).suites[0]
    assert (found.primary.endpoint, found.secondary) == ("passed", ())


def test_a_baseline_that_can_not_drop_is_named() -> None:
    zero = {task: [0.0] * 3 for task in GOOD}
    found = gate_report(shop(zero), shop(zero), RULES)
    assert found.verdict == "PASS"
    assert found.notes == ("shopping_admin: proven is 0 in the baseline: it can't drop, so this gate checks nothing",)
    assert gate_report(shop(GOOD), shop(GOOD), RULES).notes == ()


# INVALID


def reasons(before: Scores, after: Scores, rules: GateRules = RULES, **more: Any) -> str:
    found = gate_report(before, after, rules, **more)
    assert (found.verdict, found.exit_code) == ("INVALID", 7), found
    return "\n".join(found.reasons)


DIFFERENCES = read_yaml(Path(__file__).with_name("differences.yaml"))


@pytest.mark.parametrize(("part", "changes", "words"), DIFFERENCES, ids=[row[2][:30] for row in DIFFERENCES])
def test_runs_that_differ_in_more_than_they_may(part: str, changes: dict[str, Any], words: str) -> None:
    if part == "contender":
        changed = {"contenders": (MINE.model_copy(update=changes),)}
    elif part == "provenance":
        changed = {"provenances": (provenance(**changes),)}
    else:
        changed = {"manifest": changes if part == "manifest" else {"options": OPTIONS | changes}}
    assert words in reasons(shop(GOOD), shop(GOOD, **changed))


def test_another_model() -> None:
    before = shop(GOOD, contenders=(Contender(agent="webagent", model="gpt-4.1"),))
    after = shop(GOOD, contenders=(Contender(agent="webagent", model="gpt-4o"),))
    assert "holds webagent / gpt-4.1, not webagent / gpt-4o" in reasons(before, after)
    assert gate_report(before, after, RULES, chosen="webagent / gpt-4.1").verdict == "PASS"
    reported = [
        shop(GOOD, contenders=before.contenders, provenances=(provenance(model_reported=name),))
        for name in ("gpt-4.1-2025-04-14", "gpt-4.1-2026-01-01")
    ]
    assert "model that the server reported" in reasons(*reported)


def test_what_is_meant_to_change_is_named() -> None:
    """--baseline-contender: prompts and options may differ, and are noted; data and limits may not."""
    new = MINE.model_copy(update={"prompts": "123456789abc", "options": {"care": "2"}})
    found = gate_report(shop(GOOD), shop(GOOD, contenders=(new,)), RULES, chosen=MINE.label)
    assert found.verdict == "PASS"
    assert any("prompts" in note for note in found.notes)
    assert any("options" in note for note in found.notes)
    other = shop(GOOD, contenders=(new,), manifest={"data": "fedcba987654"})
    assert "data version" in reasons(shop(GOOD), other, chosen=MINE.label)
    assert "not nobody" in reasons(shop(GOOD), shop(GOOD), chosen="nobody")


def test_several_contenders_are_no_contender() -> None:
    both = shop(GOOD, contenders=(MINE, MINE.model_copy(update={"profile": "other"})))
    assert "several contenders" in reasons(both, shop(GOOD))
    assert "several contenders" in reasons(shop(GOOD), both)


def test_refused_before_the_first_case() -> None:
    assert conflicts(shop(GOOD), manifest(), MINE) == []
    assert "data version" in conflicts(shop(GOOD), manifest(data="fedcba987654"), MINE)[0]
    assert "--baseline-contender" in conflicts(shop(GOOD), manifest(), Contender(agent="nothing"))[0]


def test_cases_that_only_one_run_holds() -> None:
    fewer = {task: values for task, values in GOOD.items() if task != "PW-007"}
    assert "the baseline lacks 1 pairs of task and condition, e.g. shopping_admin PW-007 raw" in reasons(
        shop(fewer), shop(GOOD)
    )
    assert "this run has no cases of 1 pairs" in reasons(shop(GOOD), shop(fewer))
    assert gate_report(shop(GOOD), shop(fewer), GateRules(subset=True)).verdict == "PASS"
    assert "the baseline lacks" in reasons(shop(fewer), shop(GOOD), GateRules(subset=True))


def test_missing_cases_are_never_green() -> None:
    planned = (*(case.case.id for case in shop(GOOD).cases), "pw-999-raw-r0")
    short = shop(GOOD, manifest={"cases": planned})
    assert "1 planned cases of this run have no record, e.g. pw-999-raw-r0" in reasons(shop(GOOD), short)
    assert "1 planned cases of the baseline" in reasons(short, shop(GOOD))


def test_broken_fixtures_are_never_green() -> None:
    said = reasons(shop(GOOD), shop(GOOD), errors=("test_funnel[pw-001-raw-r0]",))
    assert "1 cases had an error in their fixtures, e.g. test_funnel[pw-001-raw-r0]" in said


def test_a_valid_case_without_a_value() -> None:
    cases = list(shop(GOOD).cases)
    cases[3] = cases[3].model_copy(update={"values": {}})
    assert "1 valid cases of this run have no proven, e.g. pw-002-raw-r0" in reasons(shop(GOOD), scores(cases))


def test_too_many_invalid_cases() -> None:
    """2 of 90 are over 2 %; 1 of 90 is not, and could not change the verdict here."""
    one_invalid = GOOD | {"PW-001": [1.0, 1.0, None]}
    two_invalid = one_invalid | {"PW-002": [1.0, 1.0, None]}
    assert gate_report(shop(GOOD), shop(one_invalid), RULES).verdict == "PASS"
    assert "2 of 90 cases of this run are invalid, over the limit of 2 %" in reasons(shop(GOOD), shop(two_invalid))
    assert "2 of 90 cases of the baseline are invalid" in reasons(shop(two_invalid), shop(GOOD))


def test_few_invalid_cases_that_could_turn_the_verdict() -> None:
    """One repeat each, 60 tasks: four drops are p = 1/16; the invalid case may be the fifth."""
    before = {f"PW-{number:03}": [1.0] for number in range(60)}
    after = before | {f"PW-{number:03}": [0.0] for number in range(4)}
    undecided = gate_report(shop(before), shop(after), RULES)
    assert undecided.verdict == "NO REGRESSION FOUND"
    said = reasons(shop(before), shop(after | {"PW-059": [None]}))
    assert "REGRESSION if the invalid cases count at their worst" in said
    assert "at their best" not in said


def test_nothing_valid_at_all() -> None:
    dead = {task: [None] for task in GOOD}
    said = reasons(shop({task: [1.0] for task in GOOD}), shop(dead))
    assert "30 of 30 cases of this run are invalid" in said
    assert "no task has a valid case of proven" in said


# what must never matter


def shuffled(run: Scores, seed: int) -> Scores:
    cases = list(run.cases)
    random.Random(seed).shuffle(cases)
    return run.model_copy(update={"cases": tuple(cases)})


@settings(max_examples=40, deadline=None)
@given(OUTCOMES, st.integers(0, 99))
def test_order_is_irrelevant(outcomes: Any, seed: int) -> None:
    before = shop({task: values[:1] * 2 for task, values in outcomes.items()})
    after = shop(outcomes)
    assert gate_report(shuffled(before, seed), shuffled(after, seed + 1), RULES) == gate_report(before, after, RULES)


def test_another_variant_is_refused_unless_asked_for() -> None:
    """The entries of the tasks differ then, as they must; everything else has to be the same."""
    there = shop(GOOD, manifest={"options": OPTIONS | {"variant": 7}}, provenances=(provenance(task="b" * 12),))
    assert "--variant: nothing in the baseline, 7 in this run" in reasons(shop(GOOD), there)
    asked = GateRules(variants=True)
    assert gate_report(shop(GOOD), there, asked).verdict == "PASS"
    assert "task entry" in reasons(shop(GOOD), shop(GOOD, provenances=there.provenances), asked)
    assert "step limit" in reasons(
        shop(GOOD), there.model_copy(update={"provenances": (provenance(task="b" * 12, step_limit=30),)}), asked
    )
