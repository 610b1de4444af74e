"""Compare: both runs side by side, by endpoint, condition and task; symmetric; text and JSON."""

import json
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import UsageError
from longtrail.gate.comparison import Comparison, compare
from longtrail.report.comparison import comparison_text
from longtrail.runs.baseline import write_baseline
from tests.gate.made_scores import MINE, OPTIONS, decision, long, scores, shop

BEFORE = {f"PW-{number:03}": [1.0, 1.0, 0.0] for number in range(8)}
AFTER = BEFORE | {"PW-000": [0.0, 0.0, 0.0], "PW-001": [1.0, 1.0, 1.0], "PW-002": [1.0, 0.0, None]}


def test_the_figures() -> None:
    found = compare(shop(BEFORE, "one"), shop(AFTER, "two"))
    suite = found.suites[0]
    assert (found.before, found.after) == ("one (my_agent:make)", "two (my_agent:make)")
    assert suite.primary.change == pytest.approx((-2 / 3 + 1 / 3 - 1 / 6) / 8)
    assert (suite.cases, suite.invalid, suite.unpaired) == ((24, 24), (0, 1), (0, 0))
    assert [finding.task for finding in suite.regressed] == ["PW-000", "PW-002"]
    assert suite.regressed[1].repeats == (3, 2)
    assert [finding.task for finding in suite.improved] == ["PW-001"]
    first = suite.tasks[0]
    assert (first.endpoint, first.before, first.after) == ("PW-000", pytest.approx(2 / 3), 0)
    assert first.p == pytest.approx(2 * 4 / 20)
    assert first.low < -2 / 3 < first.high
    assert first.adjusted == 1.0


def test_conditions_stand_apart() -> None:
    cases = [decision(f"PW-{n:03}", 1.0, prompt=prompt) for n in range(6) for prompt in ("raw", "hint", "explicit")]
    worse = [decision(f"PW-{n:03}", float(p != "raw"), prompt=p) for n in range(6) for p in ("raw", "hint", "explicit")]
    rows = {finding.endpoint: finding for finding in compare(scores(cases), scores(worse)).suites[0].secondary}
    assert rows["proven under raw"].change == -1
    assert rows["proven under hint"].change == 0
    assert rows["proven under raw"].p == pytest.approx(2 / 64)
    assert rows["proven under raw"].adjusted == pytest.approx(5 * 2 / 64)


def test_lengths_are_in_order() -> None:
    cases = [long("song", 1.0, length=length) for length in (100_000, 25_000, 0)] + [long("song", 1.0, relocated=True)]
    titles = [finding.endpoint for finding in compare(scores(cases), scores(cases)).suites[0].secondary]
    assert titles[-4:] == ["success at 0", "success, relocated", "success at 25k", "success at 100k"]


def test_swapping_the_runs_flips_the_sign() -> None:
    there, back = compare(shop(BEFORE), shop(AFTER)).suites[0], compare(shop(AFTER), shop(BEFORE)).suites[0]
    for forward, backward in zip((there.primary, *there.tasks), (back.primary, *back.tasks), strict=True):
        assert (forward.change, forward.low, forward.high, forward.p) == pytest.approx(
            (-backward.change, -backward.high, -backward.low, backward.p)
        )
    assert there.regressed[0].task == back.improved[0].task


def test_what_only_one_run_holds_is_counted() -> None:
    fewer = {task: values for task, values in BEFORE.items() if task not in ("PW-003", "PW-004")}
    found = compare(shop(BEFORE), shop(fewer))
    assert found.suites[0].unpaired == (6, 0)
    assert len(found.suites[0].tasks) == 6
    assert "6 and 0 without a partner" in comparison_text(found)


def test_runs_that_a_gate_would_refuse_are_compared_with_a_warning() -> None:
    other = shop(AFTER, contenders=(MINE.model_copy(update={"agent": "other"}),), manifest={"data": "fedcba987654"})
    text = comparison_text(compare(shop(BEFORE), other))
    assert "not strictly comparable: data version: 0123456789ab in A, fedcba987654 in B" in text
    assert "note: agent: my_agent:make in A, other in B" in text


def test_one_of_several_contenders_is_named() -> None:
    both = scores(
        [decision("PW-001", 1.0), decision("PW-001", 0.0, 1, contender=1)],
        contenders=(MINE, MINE.model_copy(update={"agent": "other"})),
    )
    with pytest.raises(UsageError, match="several contenders: my_agent:make, other"):
        compare(both, both)
    assert compare(both, both, ("my_agent:make", "other")).suites[0].primary.change == -1
    with pytest.raises(UsageError, match="no suite in common"):
        compare(shop(BEFORE), scores([long("song", 1.0)]))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (
        write_baseline(shop(runs, name), tmp_path / f"{name}.json") for name, runs in (("a", BEFORE), ("b", AFTER))
    )
    assert main(["compare", str(first), str(second), "--json", str(tmp_path / "out.json")]) == 0
    text = capsys.readouterr().out
    assert text.startswith("A: a (my_agent:make)\nB: b (my_agent:make)\n")
    assert "shopping admin: 24 and 24 cases, 0 and 1 invalid; p by permutation within tasks (exact)" in text
    assert "shopping admin, proven by task" in text
    assert "regressed: 2\n  PW-000 raw 66.7 -> 0: proven is 0" in text
    found = Comparison.model_validate_json((tmp_path / "out.json").read_bytes())
    assert found == compare(shop(BEFORE, "a"), shop(AFTER, "b"))
    assert json.loads((tmp_path / "out.json").read_text())["suites"][0]["suite"] == "shopping_admin"
    assert main(["compare", str(first), str(tmp_path / "none")]) == 4


def varied(seed: int | None) -> dict[str, object]:
    return {"options": OPTIONS | {"variant": seed}}


def test_a_variant_shows_what_was_memorized() -> None:
    """The sign is the same whichever run comes first, and a difference of tasks is no warning."""
    shipped, varied_run = shop(BEFORE, "one", manifest=varied(None)), shop(AFTER, "two", manifest=varied(7))
    for runs in ((shipped, varied_run), (varied_run, shipped)):
        found = compare(*runs)
        (memorized,) = found.contamination
        assert (memorized.variant, memorized.tasks) == (7, 8)
        assert memorized.difference == pytest.approx((2 / 3 - 1 / 3 + 1 / 6) / 8)
        assert memorized.low < memorized.difference < memorized.high
        assert found.warnings == ()
        text = comparison_text(found)
        assert "contamination (shipped - variant 7, paired by task): +6.2 points" in text
    assert "note: tasks: as they ship in A, variant 7 in B" in comparison_text(compare(shipped, varied_run))


def test_two_variants_show_no_contamination() -> None:
    found = compare(shop(BEFORE, manifest=varied(3)), shop(AFTER, manifest=varied(7)))
    assert found.contamination == ()
    assert "note: tasks: variant 3 in A, variant 7 in B" in comparison_text(found)
