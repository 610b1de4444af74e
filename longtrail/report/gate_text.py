"""A gate's report as text for the terminal."""

from collections.abc import Iterable, Sequence

from longtrail.gate.findings import TARGET_DROP, CaseChange, EndpointFinding, GateReport, SuiteComparison, SuiteFindings
from longtrail.options.gate_rules import Verdict
from longtrail.report.figures import NONE, p_value, percent
from longtrail.report.terminal import table
from longtrail.report.text import clip, plain

MOST = 20
"""Maximum cases listed; `gate.json` has all."""
MEANINGS: dict[Verdict, str] = {
    "IMPROVED": "the run is better than its baseline",
    "PASS": "the drop is smaller than the margin with high confidence",
    "NO REGRESSION FOUND": "the run is not significantly worse than its baseline; a small drop is not ruled out",
    "REGRESSION": "the run is worse than its baseline",
    "INVALID": "nothing was decided",
}


def terminal(report: GateReport) -> str:
    """Verdict, tables and lists as plain text."""
    lines = [headline(report), f"baseline: {plain(report.before)}", f"run:      {plain(report.after)}"]
    lines += [f"invalid: {plain(reason)}" for reason in report.reasons]
    lines += [f"note: {plain(note)}" for note in report.notes]
    lines += list(look_lines(report))
    for suite in report.suites:
        findings = findings_table(columns(report), (suite.primary, *suite.secondary))
        lines += ["", suite.suite.replace("_", " "), findings, *sentences(report, suite)]
        lines += moved_lines(suite)
    return "\n".join(lines)


def findings_table(head: Sequence[str], findings: Iterable[EndpointFinding]) -> str:
    """A plain table of endpoints. `head`: its nine columns."""
    return table(list(head), [[plain(cell) for cell in row(finding)] for finding in findings])


def moved_lines(suite: SuiteFindings | SuiteComparison) -> list[str]:
    """The cases that regressed and improved, as plain text."""
    lines = []
    for word, moved in (("regressed", suite.regressed), ("improved", suite.improved)):
        if moved:
            lines += ["", f"{word}: {len(moved)}", *(f"  {line}" for line in _case_lines(moved))]
    return lines


def points(value: float) -> str:
    """A change in points with its sign: `-12.5`, `+3.0`, `0`."""
    number = round(100 * value, 1)
    return f"{number:+.1f}" if number else "0"


def headline(report: GateReport) -> str:
    """The verdict in one line."""
    return f"gate: {report.verdict}: {MEANINGS[report.verdict]} (exit code {report.exit_code})"


def look_lines(report: GateReport) -> Iterable[str]:
    """What each look of a sequential run decided, and why."""
    for look in report.looks:
        repeats = "1 repeat" if look.repeats == 1 else f"{look.repeats} repeats"
        test = f"p {p_value(look.p)} for a drop, significant at {look.level:.3g}"
        yield f"after {repeats}: {test}; {'continued' if look.go_on else 'ended'}: {look.reason}"


def columns(report: GateReport) -> list[str]:
    """The columns. `n` is the number of pairs of outcomes."""
    return ["endpoint", "baseline", "run", "change", report.interval_level, "tasks", "n", "p", "Holm"]


def row(finding: EndpointFinding) -> list[str]:
    """The cells of an endpoint."""
    interval = f"{points(finding.low)} to {points(finding.high)}"
    figures = [
        percent(finding.before),
        percent(finding.after),
        points(finding.change),
        interval,
        str(finding.tasks),
        str(finding.pairs),
    ]
    return [finding.endpoint, *figures, p_value(finding.p), p_value(finding.adjusted)]


def sentences(report: GateReport, suite: SuiteFindings) -> list[str]:
    """What decides, how sure it is, and what would have been found."""
    finding, rules, level = suite.primary, report.rules, report.decided_at
    drop = f"the drop is at most {percent(max(finding.largest_drop, 0.0))} points"
    about = f"({100 * (1 - level):.3g} % sure, on {finding.scope})"
    return [
        f"{finding.endpoint} decides: {finding.tasks} tasks, {finding.pairs} pairs of outcomes; "
        f"p of a drop by permutation ({finding.method})"
        + (f", of this gain {p_value(finding.gain)}" if finding.change > 0 else ""),
        f"{drop} {about}; the margin is {percent(rules.margin)}, alpha {rules.alpha:g}",
        f"each limit of the {report.interval_level} interval is one-sided at {level:.3g}, as the gate decides",
        *([] if finding.scope == "these tasks" else [ONE_REPEAT]),
        power_sentence(suite),
    ]


ONE_REPEAT = (
    "with one repeat, noise between runs can't be told from differences between tasks, so the interval is about tasks "
    "such as these, and is wider; for these tasks, play each two times or more"
)


def power_sentence(suite: SuiteFindings) -> str:
    """Which drop this many episodes would have found, and how many more would find a drop of 10 points."""
    if suite.detectable is None:
        sentence = "so few episodes find no drop of any size with 80 % power"
    else:
        sentence = f"a drop of {percent(suite.detectable)} points would have been found with 80 % power"
        if suite.detectable <= TARGET_DROP:
            return sentence
    target = f"a drop of {percent(TARGET_DROP, 0)} points"
    if suite.repeats_needed is None:
        return f"{sentence}; {target} can't be found with these tasks"
    more = f"{suite.more_episodes} more episodes in this run ({suite.repeats_needed} of each case in both runs)"
    return f"{sentence}; {target} needs {more}"


def _case_lines(moved: Sequence[CaseChange]) -> Iterable[str]:
    for change in moved[:MOST]:
        reason = f": {clip(change.reason, 100)}" if change.reason and change.after < change.before else ""
        yield plain(f"{change.task} {change.condition} {percent(change.before)} -> {percent(change.after)}{reason}")
    if len(moved) > MOST:
        yield f"{NONE} and {len(moved) - MOST} more"
