"""Two runs compared, as text, as JSON, and as a page that shows their episodes side by side."""

from collections.abc import Sequence
from pathlib import Path

from longtrail.gate.comparison import Comparison, Contamination
from longtrail.report.addresses import run_folder, side_name
from longtrail.report.build import write_site
from longtrail.report.gate_text import findings_table, moved_lines, points
from longtrail.report.run.view import Arm, arm_of
from longtrail.report.template_page import render, script_hash, write
from longtrail.report.text import plain
from longtrail.tasks.cases import slug


def write_comparison_page(comparison: Comparison, runs: Sequence[Path]) -> Path:
    """Write `compare-A-B.html` into the reports folder of the second run (next to the file, if that is a baseline).
    `runs`: the folders or baseline files that were compared. Episodes are shown only if both are folders in the same
    reports folder.
    """
    folders = [path.resolve() for path in runs]
    reports = folders[1].parents[1] if folders[1].is_dir() else folders[1].parent
    labels = [arm_of(name).label for name in (comparison.before, comparison.after)]
    arms = [
        Arm(path.name, label, run_folder(path.name) if path.is_dir() and path.parents[1] == reports else None)
        for path, label in zip(folders, labels, strict=True)
    ]
    shown = [side_name(arm.run, slug(arm.label)) for arm in arms if arm.at is not None]
    if shown:
        write_site(reports, only=folders[-1].name)
    both = shown if len(shown) == 2 else ["", ""]
    page = render(
        "compare.html", comparison=comparison, script=script_hash("compare_page.js"), a=both[0], b=both[1], arms=arms
    )
    names = [slug(path.stem if path.is_file() else path.name) for path in folders]
    same = slug(labels[0]) != slug(labels[1]) and names[0] == names[1]
    parts = [f"{name}-{slug(label)}" if same else name for name, label in zip(names, labels, strict=True)]
    return write(reports / f"compare-{parts[0]}-{parts[1]}.html", page)


HEAD = ("", "A", "B", "B - A", "95 %", "tasks", "n", "p", "Holm")


def comparison_text(comparison: Comparison) -> str:
    """The comparison as plain text."""
    lines = [f"A: {plain(comparison.before)}", f"B: {plain(comparison.after)}"]
    lines += [f"not strictly comparable: {plain(line)}" for line in comparison.warnings]
    lines += [f"note: {plain(line)}" for line in comparison.notes]
    for suite in comparison.suites:
        name = suite.suite.replace("_", " ")
        counts = f"{suite.cases[0]} and {suite.cases[1]} cases, {suite.invalid[0]} and {suite.invalid[1]} invalid"
        if any(suite.unpaired):
            counts += f", {suite.unpaired[0]} and {suite.unpaired[1]} without a partner"
        method = f"p by permutation within tasks ({suite.primary.method}); intervals about {suite.primary.scope}"
        lines += ["", f"{name}: {counts}; {method}"]
        lines += [findings_table(HEAD, (suite.primary, *suite.secondary))]
        lines += [_contamination(row) for row in comparison.contamination if row.suite == suite.suite]
        lines += ["", f"{name}, {suite.primary.endpoint} by task", findings_table(HEAD, suite.tasks)]
        lines += moved_lines(suite)
    return "\n".join(lines)


def _contamination(row: Contamination) -> str:
    interval = f"{points(row.low)} to {points(row.high)}"
    return (
        f"contamination (shipped - variant {row.variant}, paired by task): {points(row.difference)} points, "
        f"95 % {interval}, {row.tasks} tasks"
    )
