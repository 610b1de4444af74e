"""Join the shards of a run that several machines played (`--shard K/N`), write the leaderboard, and judge the gate."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.options.flag import folder_or_address
from longtrail.runs.run_folder import REPORTS, RUN_HELP, find_run

if TYPE_CHECKING:
    from longtrail.runs.baseline import Scores
    from longtrail.runs.store import Run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The parts, the name of the merged run, and the gate's options, as in a pytest session."""
    from longtrail.options.flag_values import ADDED
    from longtrail.options.gate_words import GATE

    parser.add_argument("runs", nargs="+", metavar="RUN", help=f"every shard: {RUN_HELP}")
    parser.add_argument("--into", default="", metavar="NAME", help="name of the merged run (default: the common one)")
    parser.add_argument(
        "--reports",
        type=folder_or_address,
        default=REPORTS,
        metavar="DIR|ADDRESS",
        help="folder or address for the merged run (default: reports); from an address, parts are read "
        "too, e.g. 'night-*of64'",
    )
    for name in GATE:
        parser.add_argument(name, **ADDED[name])


def run(args: argparse.Namespace) -> int:
    """Merge, and print the run's table. The gate's exit code with --baseline; else 1 if a model's server ran several
    models, or 0."""
    from longtrail.errors import HarnessTrouble, UsageError
    from longtrail.options.gate_words import gate_options
    from longtrail.report.terminal import leaderboard_table, mixed_models
    from longtrail.report.text import plain
    from longtrail.runs.baseline import read_scores
    from longtrail.runs.merging import merge, merged_name
    from longtrail.runs.object_store import Mirror
    from longtrail.runs.store import Run
    from longtrail.site.build import write_site
    from longtrail.statistics.aggregate import summarize
    from longtrail.tasks.cases import slug

    remote = args.reports if isinstance(args.reports, str) else ""
    reports = REPORTS if remote else args.reports
    options = gate_options(args, reports / "runs")
    baseline = read_scores(options["baseline"]) if options else None
    with ExitStack() as opened:
        parts = [Run.open(folder) for given in args.runs for folder in _folders(given, reports, remote, opened)]
        name = args.into or merged_name(parts)
        if slug(name) != name:
            raise UsageError(f"--into: expected a name of a-z, 0-9, - and _, got {name!r}")
        mirror = Mirror(reports / "runs" / name, remote) if remote else None
        if mirror:
            mirror.claim()
        merged = merge(parts, reports / "runs" / name)
    results = merged.results()
    mixed = mixed_models(results)
    print(leaderboard_table(summarize(results)))
    for line in mixed:
        print(plain(line))
    print(f"{len(results)} cases of {len(parts)} parts in {merged.folder}")
    print(f"leaderboard: {write_site(reports, only=name)}")
    code = _gate(merged, baseline, options) if baseline else int(bool(mixed))
    if mirror:
        try:
            mirror.push()
        except HarnessTrouble as error:
            where = f"the merged run is complete in {merged.folder}"
            raise HarnessTrouble("storage", f"{error.message}; {where}") from error
        print(f"copy:        {mirror.address}")
    return code


def _folders(given: str, reports: Path, remote: str, opened: ExitStack) -> list[Path]:
    """The folder of each part; parts at an address are downloaded temporarily."""
    if not remote:
        return [find_run(Path(given), reports)]
    from longtrail.runs.object_store import Store, fetched

    found = Store(remote).names(f"runs/{given}")
    return [opened.enter_context(fetched(Store(address))) for address in found]


def _gate(merged: "Run", baseline: "Scores", options: dict[str, Any]) -> int:
    """Judge the merged run as a session would, and print the verdict."""
    from longtrail.gate.formatting import terminal
    from longtrail.gate.judge import judge
    from longtrail.gate.report_file import FILE, write_report
    from longtrail.runs.baseline import scores_of

    report = judge(baseline, scores_of(merged), options["rules"], chosen=options["baseline_contender"])
    unwritten = write_report(report, merged.folder)
    print(f"\n{terminal(report)}\ngate:     {merged.folder / FILE}")
    if unwritten:
        print(unwritten)
    return report.exit_code
