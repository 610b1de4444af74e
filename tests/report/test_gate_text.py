"""Shown: the verdict comes first, and nothing from outside becomes markup."""

import re

from longtrail.gate.gate_report import gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.report.figures import p_value
from longtrail.report.gate_text import MOST, points, terminal
from longtrail.report.job_summary import escape, markdown
from tests.gate.made_scores import MINE, shop

GOOD = {f"PW-{number:03}": [1.0] for number in range(40)}
BAD = {task: [0.0] for task in GOOD}
HOSTILE = (
    "](javascript:alert(1)) <img src=x onerror=alert(1)> | @everyone `x` www.evil.test https://evil.test \x1b[31m\n# x"
)


def test_the_terminal_says_it_all() -> None:
    text = terminal(gate_report(shop(GOOD, "main"), shop(GOOD | {"PW-000": [0.0]}, "mine"), GateRules(margin=0.1)))
    assert text.splitlines()[0] == "gate: PASS: the drop is smaller than the margin with high confidence (exit code 0)"
    assert "baseline: main (my_agent:make)" in text
    assert re.search(r"^proven +100 +97\.5 +-2\.5 +-8\.\d to \+3\.\d +40 +40 +0\.500 +0\.500$", text, re.MULTILINE)
    assert "the drop is at most 8." in text
    assert re.search(r"a drop of 1\d\.\d points would have been found with 80 % power; a drop of 10 points needs", text)
    assert "with one repeat, noise between runs can't be told from differences between tasks" in text
    assert "regressed: 1\n  PW-000 raw 100 -> 0: proven is 0" in text


def test_a_gain_has_a_probability_of_its_own() -> None:
    """The table's p is of a drop: near 1 beside IMPROVED."""
    text = terminal(gate_report(shop(BAD, "main"), shop(GOOD, "mine"), GateRules()))
    assert text.startswith("gate: IMPROVED")
    assert "p of a drop by permutation (exact), of this gain <0.001" in text


def test_long_lists_are_cut_and_counted() -> None:
    text = terminal(gate_report(shop(GOOD), shop(BAD), GateRules()))
    assert text.count("raw 100 -> 0") == MOST
    assert "and 20 more" in text


def test_invalid_says_why() -> None:
    text = terminal(gate_report(shop(GOOD), shop(GOOD, manifest={"data": "fedcba987654"}), GateRules()))
    assert text.startswith("gate: INVALID: nothing was decided (exit code 7)")
    assert "invalid: data version: 0123456789ab in the baseline, fedcba987654 in this run" in text


def test_markdown_is_escaped() -> None:
    who = MINE.model_copy(update={"agent": HOSTILE})
    found = gate_report(shop(GOOD, HOSTILE, contenders=(who,)), shop({**BAD}, contenders=(who,)), GateRules())
    changed = found.suites[0].model_copy(
        update={"regressed": (found.suites[0].regressed[0].model_copy(update={"task": HOSTILE}),)}
    )
    text = markdown(found.model_copy(update={"suites": (changed,)}))
    assert "<img" not in text
    assert "\x1b" not in text
    assert not re.search(r"(?<!\\)\]\(", text)
    assert "@everyone" not in text
    assert "www.evil" not in text
    assert "https://" not in text
    assert not re.search(r"^# x", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", row)) in (4, 10) for row in rows)


def test_markdown_holds_the_verdict_and_the_table() -> None:
    text = markdown(gate_report(shop(GOOD, "main"), shop(BAD, "mine"), GateRules()))
    assert text.startswith("## Longtrail gate: REGRESSION\n")
    assert "| proven | 100 | 0 | -100.0 | -100.0 to -93.7 | 40 | 40 | <0.001 | <0.001 |" in text
    assert "<details><summary>regressed: 40</summary>" in text


def test_figures() -> None:
    assert [points(value) for value in (0.125, -0.004, 0.0, -0.00001)] == ["+12.5", "-0.4", "0", "0"]
    assert [p_value(value) for value in (0.0001, 0.0316, 1.0)] == ["<0.001", "0.032", "1.000"]
    assert escape("a_b <c> @d") == "a\\_b &lt;c&gt; &#64;d"


def test_every_table_says_the_level_of_its_interval() -> None:
    """The limits are one-sided at alpha: 0.05 makes a 90 % interval. Terminal and Markdown show the level."""
    for alpha, level in ((0.05, "90 %"), (0.025, "95 %")):
        found = gate_report(shop(GOOD, "main"), shop(BAD, "mine"), GateRules(alpha=alpha))
        assert f"change  {level}" in re.sub(r" {2,}", "  ", terminal(found))
        assert f"| change | {level} |" in markdown(found)
        assert f"each limit of the {level} interval is one-sided at {alpha:g}" in terminal(found)
