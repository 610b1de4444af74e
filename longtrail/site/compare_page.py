"""Comparison page: two lines as plain tables, and, with scripts, their episodes side by side."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from longtrail.gate.comparison import Comparison
from longtrail.report.addresses import run_folder
from longtrail.report.template_page import render, script_hash, write
from longtrail.site.arms import Arm, arm_of
from longtrail.site.build import write_site
from longtrail.tasks.cases import slug


def write_comparison(found: Comparison, runs: Sequence[Path]) -> Path:
    """Write `compare-A-B.html` into the reports folder of the second run (next to the file, if that is a baseline).
    `runs`: the folders or baseline files that were compared. Episodes are shown only if both are folders in the same
    reports folder.
    """
    folders = [path.resolve() for path in runs]
    home = folders[1].parents[1] if folders[1].is_dir() else folders[1].parent
    labels = [arm_of(name).label for name in (found.before, found.after)]
    arms = [
        Arm(path.name, label, run_folder(path.name) if path.is_dir() and path.parents[1] == home else None)
        for path, label in zip(folders, labels, strict=True)
    ]
    here = [f"{quote(arm.run, safe='')}/{slug(arm.label)}" for arm in arms if arm.at is not None]
    if here:
        write_site(home, only=folders[-1].name)
    both = here if len(here) == 2 else ["", ""]
    page = render(
        "compare.html",
        comparison=found,
        script=script_hash("compare_page.js"),
        a=both[0],
        b=both[1],
        arms=arms,
    )
    names = [slug(path.stem if path.is_file() else path.name) for path in folders]
    same = slug(labels[0]) != slug(labels[1]) and names[0] == names[1]
    parts = [f"{name}-{slug(label)}" if same else name for name, label in zip(names, labels, strict=True)]
    return write(home / f"compare-{parts[0]}-{parts[1]}.html", page)
