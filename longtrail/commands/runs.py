"""List the runs in the reports folder: name, contender, date, cases, complete or not, size. `runs rm NAME` deletes."""

import argparse
import shutil
from pathlib import Path

from longtrail.errors import UsageError, did_you_mean
from longtrail.paths import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to do, and where the runs are."""
    parser.add_argument("action", nargs="?", choices=("list", "rm"), default="list", help="list them (default), or rm")
    parser.add_argument("names", nargs="*", metavar="NAME", help="the runs to delete")
    parser.add_argument("--reports", type=Path, default=REPORTS, metavar="DIR", help="the reports folder")


def run(args: argparse.Namespace) -> None:
    """List or delete. Raises UsageError for an unknown run or one that is being played."""
    runs: Path = args.reports / "runs"
    known = {path.parent.name: path.parent for path in sorted(runs.glob("*/run.json"))}
    if args.action == "rm":
        _delete(args.names, known, args.reports)
    elif args.names:
        raise UsageError(f"runs list {args.names[0]}: takes no name; to delete a run: longtrail runs rm NAME")
    else:
        _list(known, runs)


def _list(known: dict[str, Path], runs: Path) -> None:
    from longtrail.report.terminal import table
    from longtrail.report.text import plain
    from longtrail.runs.store import Run

    if not known:
        raise UsageError(f"{runs}: there is no run")
    rows = []
    for name, folder in known.items():
        opened = Run.open(folder)
        manifest, missing = opened.manifest, opened.missing()
        labels = sorted({planned.contender.label for planned in manifest.planned})
        complete = "complete" if manifest.cases and not missing else "incomplete"
        cases = f"{len(manifest.cases) - len(missing)}{f' of {len(manifest.cases)}' if missing else ''}"
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        started = manifest.started[:16].replace("T", " ")
        rows.append([plain(name), plain(", ".join(labels)), started, cases, complete, f"{size / 1e6:.1f} MB"])
    print(table(["run", "contender", "started", "cases", "", "size"], rows))


def _delete(names: list[str], known: dict[str, Path], reports: Path) -> None:
    from longtrail.report.build import write_site
    from longtrail.runs.store import Run

    if not names:
        raise UsageError("runs rm: name the runs to delete")
    for name in names:
        if name not in known:
            raise UsageError(f"there is no run {name!r} in {reports / 'runs'} {did_you_mean(name, known)}".rstrip())
    for name in names:
        opened = Run.open(known[name])
        opened.lock()  # refused while it is played
        opened.close()
        shutil.rmtree(known[name])
        print(f"deleted {known[name]}")
    print(f"leaderboard: {write_site(reports)}")
