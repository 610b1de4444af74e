"""Commands for finished runs: list, delete, report, view, score again, check, export, rate."""

import shutil
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.commands.main import command
from longtrail.errors import UsageError, did_you_mean
from longtrail.paths import find_run

if TYPE_CHECKING:
    from longtrail.runs.store import Run


@command("runs")
def runs(args: Namespace) -> None:
    """List the runs in the reports folder: name, contender, date, cases, complete or not, size. `runs rm NAME`
    deletes."""
    folder: Path = args.reports / "runs"
    known = {path.parent.name: path.parent for path in sorted(folder.glob("*/run.json"))}
    if args.action == "rm":
        _delete(args.names, known, args.reports)
    elif args.names:
        raise UsageError(f"runs list {args.names[0]}: takes no name; to delete a run: longtrail runs rm NAME")
    else:
        _list(known, folder)


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


@command("report")
def report(args: Namespace) -> int:
    """Write the pages of all runs again, and print the leaderboard."""
    if isinstance(args.reports, Path):
        return _report(args.reports, str(args.reports))
    from longtrail.runs.object_store import Store, fetched

    store = Store(args.reports)
    with fetched(store, pages=False) as folder:
        before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
        code = _report(folder, store.address)
        fresh = [path for path in folder.rglob("*") if before.get(path) != path.stat().st_mtime_ns and path.is_file()]
        store.put(folder, [path.relative_to(folder).as_posix() for path in fresh])
    return code


def _report(reports: Path, address: str) -> int:
    """Write the pages. Returns 1 if files of a run are missing or were changed."""
    from longtrail.report.build import write_and_print
    from longtrail.report.text import plain

    table, page, problems = write_and_print(reports)
    print(table)
    for problem in problems:
        print(plain(problem))
    print(f"{address}/{page.relative_to(reports).as_posix()}")
    return 1 if problems else 0


@command("rescore")
def rescore(args: Namespace) -> int:
    """Score a finished run again from its episode files. If nothing has changed, the results file stays
    byte-identical."""
    from longtrail.runs.manifest import versions
    from longtrail.runs.rescore import own_tasks_of, rescore_files, tasks_of
    from longtrail.runs.store import Run
    from longtrail.runs.sums import chain_of
    from longtrail.tasks.loading import stories_checksum

    finished = Run.open(find_run(args.run))
    done = rescore_files(finished, tasks_of(finished))
    print(f"{len(done.results)} results in {finished.results_file}")
    if done.missing:
        print(f"{len(done.missing)} planned cases have no record, e.g. {done.missing[0]}: the run is incomplete")
    if done.changed:
        print(f"{len(done.changed)} results have changed, e.g. {done.changed[0]}: edited, or scored by another version")
    if done.edited:
        print(f"{len(done.edited)} files were changed after the run had ended, e.g. {done.edited[0]}")
    for name, problem in finished.quarantined:
        print(f"set aside: {name}: {problem}")
    stories = stories_checksum(own_tasks_of(finished).values())
    print(f"{versions(finished.manifest, stories)}; chain {chain_of(finished)[:12]}")
    return 1 if done.missing or done.changed or done.edited or finished.quarantined else 0


@command("submit-check")
def submit_check(args: Namespace) -> int:
    """Check a finished run before it is submitted.

    It checks that every planned case was played, that all data are of this version, that scoring every episode again
    gives the recorded result, and that no case has too many attempts. It prints the agents' trust classes and what was
    redacted. The exit code is 1 if a check fails.
    """
    from longtrail.report.submission import check_submission
    from longtrail.report.text import plain
    from longtrail.runs.rescore import tasks_of
    from longtrail.runs.store import Run

    finished = Run.open(find_run(args.run))
    check = check_submission(finished, tasks_of(finished))
    for line in (*check.notes, *(f"PROBLEM: {problem}" for problem in check.problems)):
        print(plain(line))
    return 1 if check.problems else 0


@command("export")
def export(args: Namespace) -> None:
    """Export finished runs: a table of results, a log of Inspect AI, ATIF trajectories, or OpenTelemetry traces.

    `longtrail export RUN --out results.csv` (or `.parquet`) writes one row per case, with every measure.
    `longtrail export RUN --out run.eval` (or `.json`) writes a log for `inspect view`: a sample for each case.
    `longtrail export RUN --atif FOLDER` writes each episode in the Agent Trajectory Interchange Format.
    `longtrail export RUN --otlp http://127.0.0.1:4318` sends the episodes to Phoenix, Langfuse, Jaeger or any OTLP
    server.
    """
    from longtrail.runs.store import Run

    if not args.out and not args.otlp and not args.atif:
        raise UsageError("export: expected --out FILE, --atif FOLDER or --otlp URL")
    finished = [Run.open(find_run(name)) for name in args.runs]
    if args.out:
        print(_write_file(finished, args.out))
    if args.atif:
        from longtrail.exporting.atif import write_trajectories

        print(f"{sum(write_trajectories(run, args.atif) for run in finished)} episodes in {args.atif}")
    if args.otlp:
        from longtrail.exporting.spans import exporter, send

        to = exporter(args.otlp)
        print(f"{sum(send(run, to) for run in finished)} episodes sent to {args.otlp}")


def _write_file(runs: "Sequence[Run]", path: Path) -> str:
    """Write one file of results and say what is in it."""
    from longtrail.exporting import inspect_log
    from longtrail.exporting.result_table import rows, write_table
    from longtrail.statistics.twin_pairs import with_pairs

    if path.suffix in inspect_log.ENDINGS:
        return f"written: {', '.join(map(str, inspect_log.write_logs(runs, path)))}"
    table = [row for run in runs for row in rows(run.folder.name, with_pairs(run.results()))]
    write_table(table, path)
    return f"{len(table)} results in {path}"


@command("annotate")
def annotate(args: Namespace) -> None:
    """Write a CSV sheet on which people rate justifications, or read completed sheets and print how well they agree."""
    from longtrail.authoring.annotation import agreement_text, measure_agreement, read_sheet, write_sheet
    from longtrail.runs.rescore import tasks_of
    from longtrail.runs.store import Run

    finished = Run.open(find_run(args.run))
    if args.read:
        print(agreement_text(measure_agreement([read_sheet(path) for path in args.read], finished.results())))
        return
    if args.out is None:
        raise UsageError("annotate needs --out FILE (write a sheet) or --read FILE ... (read completed ones)")
    rows = write_sheet(finished, tasks_of(finished), args.out, args.cases, args.seed)
    print(f"{rows} cases in {args.out}")
