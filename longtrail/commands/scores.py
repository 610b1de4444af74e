"""Commands that compare finished runs: a baseline file, a comparison, and the join of shards with the gate."""

from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.commands.main import command
from longtrail.errors import HarnessTrouble, LongtrailError, UsageError
from longtrail.options.flags import check
from longtrail.paths import REPORTS, find_run, write_file

if TYPE_CHECKING:
    from longtrail.gate.findings import GateReport
    from longtrail.runs.baseline import Scores
    from longtrail.runs.merging import MergePlan
    from longtrail.runs.object_store import Mirror
    from longtrail.runs.store import Run


@command("baseline")
def baseline(args: Namespace) -> int:
    """Write the scores of finished runs into a small file, for `pytest --baseline FILE`; several runs count as repeats.

    The exit code is 1 if files of a run are missing or were changed.
    """
    from longtrail.gate.compatibility import of_runs
    from longtrail.report.text import plain
    from longtrail.runs.baseline import pooled, scores_of, write_baseline
    from longtrail.runs.store import Run

    runs = [Run.open(find_run(name)) for name in dict.fromkeys(args.runs)]
    each = sorted(map(scores_of, runs), key=lambda scores: (scores.manifest.started, scores.name))
    for older in each[:-1]:
        if differences := of_runs(older.manifest, each[-1].manifest):
            difference = differences[0].replace("the baseline", older.name).replace("this run", each[-1].name)
            raise UsageError(f"{older.name} and {each[-1].name} can't be pooled: {difference}")
    scores = pooled(each)
    path = write_baseline(scores, args.out or REPORTS / "baselines" / f"{scores.name}.json")
    print(f"{len(scores.cases)} cases in {path}, of {', '.join(map(str, scores.sources))}")
    for problem in scores.problems:
        print(plain(problem))
    return 1 if scores.problems else 0


@command("compare")
def compare(args: Namespace) -> int:
    """Compare two finished runs, paired by task. Either may be a file that `longtrail baseline` made.

    The exit code is 1 if files of either run are missing or were changed.
    """
    from longtrail.gate import comparison
    from longtrail.report.comparison import comparison_text, write_comparison_page
    from longtrail.runs.baseline import read_scores

    runs = [path if path.is_file() else find_run(path) for path in (args.before, args.after)]
    before, after = map(read_scores, runs)
    compared = comparison.compare(before, after, (args.contender_a, args.contender_b))
    print(comparison_text(compared))
    if args.json:
        write_file(args.json, compared.model_dump_json(indent=1) + "\n")
    if args.html:
        print(write_comparison_page(compared, runs))
    return 1 if before.problems or after.problems else 0


@command("merge")
def merge(args: Namespace) -> int:
    """Join the shards of a run that several machines played (`--shard K/N`), write the leaderboard, and judge the gate.

    The exit code is the gate's with --baseline; else 1 if a model's server ran several models, or 0. If the runs can't
    be compared, nothing is written.
    """
    from longtrail.options.gate_rules import gate_options
    from longtrail.report.terminal import leaderboard_table, mixed_models
    from longtrail.report.text import plain
    from longtrail.runs.baseline import read_scores
    from longtrail.runs.merging import join, merged_name
    from longtrail.runs.object_store import Mirror
    from longtrail.runs.store import Run
    from longtrail.statistics.aggregate import summarize
    from longtrail.statistics.twin_pairs import with_pairs
    from longtrail.tasks.cases import slug

    remote = args.reports if isinstance(args.reports, str) else ""
    reports = REPORTS if remote else args.reports
    if "sequential" in args.gate:
        raise UsageError("--gate sequential: decides while a session plays; it is no option of shards")
    check(args)
    options = gate_options(args, reports / "runs")
    baseline = read_scores(options["baseline"]) if options else None
    with ExitStack() as opened:
        parts = [Run.open(folder) for given in args.runs for folder in _folders(given, reports, remote, opened)]
        name = args.into or merged_name(parts)
        if slug(name) != name:
            raise UsageError(f"--into: expected a name of a-z, 0-9, - and _, got {name!r}")
        folder, joined = reports / "runs" / name, join(parts, name)
        known = joined.earlier(folder)
        mirror = Mirror(folder, remote) if remote else None
        if mirror:
            mirror.claim(joined.manifest.parts, joined.episodes(known))
        report = _gate_report(joined, known, baseline, options) if baseline else None
        if report and not report.suites:  # they can't be compared
            _print_gate(report)
            return report.exit_code
        merged = known or joined.write(folder)
    results = merged.results()
    mixed = mixed_models(results)
    print(leaderboard_table(summarize(with_pairs(results))))
    for line in mixed:
        print(plain(line))
    print(f"{len(results)} cases of {len(parts)} parts in {merged.folder}")
    if report:
        _print_gate(report, merged.folder)
    problem = _write_pages(reports, merged)
    if mirror:
        _push(mirror)
    if problem:
        raise problem
    return report.exit_code if report else int(bool(mixed))


def _folders(given: str, reports: Path, remote: str, opened: ExitStack) -> list[Path]:
    """The folder of each part; parts at an address are downloaded temporarily."""
    if not remote:
        return [find_run(Path(given), reports)]
    from longtrail.runs.object_store import Store, fetched

    folders = Store(remote).names(f"runs/{given}")
    return [opened.enter_context(fetched(Store(address))) for address in folders]


def _gate_report(joined: "MergePlan", known: "Run | None", baseline: "Scores", options: dict[str, Any]) -> "GateReport":
    """The gate's report on the merged run, as in a session. `known`: the run, if it was written earlier."""
    from longtrail.gate.gate_report import gate_report
    from longtrail.runs.baseline import scores_from, scores_of
    from longtrail.runs.checked import CheckedRun

    scores = scores_of(known) if known else scores_from(joined.manifest, CheckedRun(joined.results))
    return gate_report(baseline, scores, options["rules"], chosen=options["baseline_contender"])


def _print_gate(report: "GateReport", folder: Path | None = None) -> None:
    """Print the verdict, and write the report to the merged run's folder and the job's page; None: nothing was
    merged."""
    from longtrail.report.gate_text import terminal
    from longtrail.report.job_summary import FILE, write_report, write_to_job_page

    print(f"\n{terminal(report)}")
    if folder is None:
        print("\n".join(filter(None, ("nothing was merged", write_to_job_page(report)))))
    else:
        print(write_report(report, folder) or f"gate:     {folder / FILE}")


def _write_pages(reports: Path, merged: "Run") -> HarnessTrouble | None:
    """Write the pages, which show the verdict. Returns why they could not be written: the run is complete without
    them."""
    from longtrail.report.build import write_site

    try:
        print(f"leaderboard: {write_site(reports, only=merged.folder.name)}")
    except (LongtrailError, OSError) as error:  # also because of another run's file
        rest = f"the merged run is complete in {merged.folder}, and `longtrail report` writes its pages"
        why = error.message if isinstance(error, HarnessTrouble) else error
        return HarnessTrouble("storage", f"{why}; {rest}")
    return None


def _push(mirror: "Mirror") -> None:
    """Send the merged run. Raises HarnessTrouble(storage)."""
    try:
        mirror.push()
    except (HarnessTrouble, OSError) as error:
        where = f"the merged run is complete in {mirror.folder}, and the same command sends the rest"
        raise HarnessTrouble("storage", f"{getattr(error, 'message', error)}; {where}") from error
    print(f"copy:        {mirror.address}")
