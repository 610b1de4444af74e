"""The `longtrail` command: what is not a test run. Every error is one line and a non-zero exit."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from longtrail.errors import LongtrailError, UsageError
from longtrail.options.flags import ADDED
from longtrail.paths import TASKS

REPORTS = Path("reports")


def main(argv: list[str] | None = None) -> int:
    """Run one subcommand; its exit code."""
    args = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int | None] = args.command
    try:
        return command(args) or 0
    except LongtrailError as error:
        print(f"longtrail: {error}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="longtrail", description="Evaluation of web agents: all but the runs.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[argparse.Namespace], int | None], says: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=says, description=says)
        sub.set_defaults(command=command)
        return sub

    rescore = add("rescore", _rescore, "Score a finished run again from its files; the same bytes come out.")
    rescore.add_argument("run", type=Path, metavar="RUN", help="a run's folder, or its name below reports/runs")
    compare = add("compare", _compare, "Compare two finished runs, or baseline files, paired by task.")
    for run, label in (("before", "contender-a"), ("after", "contender-b")):
        compare.add_argument(run, type=Path, metavar="RUN_A" if run == "before" else "RUN_B")
        compare.add_argument(f"--{label}", default="", metavar="LABEL", help="which, where a run holds several")
    compare.add_argument("--json", type=Path, default=None, metavar="FILE", help="write it as JSON, too")
    baseline = add("baseline", _baseline, "Make a small file of a finished run, for `pytest --baseline FILE`.")
    baseline.add_argument("run", type=Path, metavar="RUN", help="a run's folder, or its name below reports/runs")
    baseline.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: reports/baselines/RUN.json")
    report = add("report", _report, "Write the leaderboard over all runs and print it.")
    report.add_argument("--reports", type=Path, default=REPORTS)
    browse = add("browse", _browse, "Walk the embedded web, or a task, yourself.")
    browse.add_argument("target", nargs="?", metavar="SITE|TASK")
    browse.add_argument("--port", type=int, default=0)
    sheet = add("contact-sheet", _contact_sheet, "Picture the consumer sites' pages side by side.")
    sheet.add_argument("hosts", nargs="*", metavar="HOST", help="only these sites")
    sheet.add_argument("--out", type=Path, default=REPORTS / "contact-sheet", metavar="DIR")
    mock = add(
        "mock-model", _mock_model, "Serve a scripted model over the OpenAI protocol, to try a set-up without a key."
    )
    mock.add_argument("--port", type=int, default=0)
    noise = add("record-noise", _record_noise, "Play the errands in the embedded web and write the noise pool anew.")
    noise.add_argument("hosts", nargs="*", metavar="HOST", help="only these sites; others' trajectories are kept")
    noise.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: the pool that ships")
    noise.add_argument(
        "--from",
        dest="runs",
        type=Path,
        nargs="+",
        default=(),
        metavar="RUN",
        help="play nothing: retell what a model did in these finished runs, for its own --noise-pool",
    )
    annotate = add("annotate", _annotate, "Write a sheet for people to rate justifications, or read filled ones back.")
    annotate.add_argument("run", type=Path, metavar="RUN", help="a run's folder, or its name below reports/runs")
    annotate.add_argument("--out", type=Path, default=None, metavar="FILE", help="write a sheet of cases as CSV")
    annotate.add_argument("--cases", type=int, default=50, help="how many (default 50)")
    annotate.add_argument("--seed", type=int, default=0)
    annotate.add_argument("--read", type=Path, nargs="+", default=(), metavar="FILE", help="filled sheets, one each")
    foreign = add("import", _import_pathways, "Read what others published: PATHWAYS' and WebCanvas' files.")
    whose = foreign.add_subparsers(required=True, metavar="BENCHMARK")
    says = "Measure published task and run files as far as they suffice for it."
    pathways = whose.add_parser("pathways", help=says, description=says)
    pathways.set_defaults(command=_import_pathways)
    pathways.add_argument("tasks", type=Path, metavar="TASKS", help="the task file")
    pathways.add_argument("runs", type=Path, metavar="RUNS", help="runs: a .jsonl or .json file, or a folder of them")
    pathways.add_argument("--json", type=Path, default=None, metavar="FILE", help="write everything as JSON, too")
    says = "Trajectories become a pool of noise, tasks with key nodes a tasks file."
    webcanvas = whose.add_parser("webcanvas", help=says, description=says)
    webcanvas.set_defaults(command=_import_webcanvas)
    webcanvas.add_argument("file", type=Path, metavar="FILE", help="trajectories or tasks: .json or .json.gz")
    webcanvas.add_argument("--out", type=Path, default=None, metavar="FILE", help="for --noise-pool, or a tasks file")
    webcanvas.add_argument("--score", type=Path, default=None, metavar="TASKS", help="score trajectories by these")
    live = add("check-live", _check_live, "Tell which long-context tasks can still be carried out on the real sites.")
    live.add_argument("tasks", nargs="*", metavar="TASK", help="ids, with wildcards; default: all")
    live.add_argument(
        "--file", type=Path, default=None, metavar="FILE", help="tasks of your own instead of the shipped"
    )
    live.add_argument("--nodes", type=Path, default=None, metavar="FILE", help="published key nodes instead")
    live.add_argument("--pages", action="store_true", help="only open the key pages; play no reference")
    live.add_argument("--strict", action="store_true", help="exit code 1 unless every task is ok")
    live.add_argument("--json", type=Path, default=None, metavar="FILE", help="write it as JSON, too")
    for name in ("--live-host", "--live-commits"):
        live.add_argument(name, **ADDED[name])
    schema = add("schema", _schema, "The messages of agents in processes of their own, as JSON Schema.")
    schema.add_argument("--out", type=Path, default=None, metavar="FILE", help="default: print it")
    validate = add("validate", _validate, "Check task files; prints `file: field: message` for what is wrong.")
    validate.add_argument("path", type=Path, nargs="?", default=TASKS)
    return parser


def _rescore(args: argparse.Namespace) -> None:
    from longtrail.runs.rescore import rescore
    from longtrail.runs.store import Run
    from longtrail.tasks.loading import load_tasks

    run = Run.open(_run_folder(args.run))
    results = rescore(run, load_tasks())
    run.write_results(results)
    print(f"{len(results)} results in {run.results_file}")


def _compare(args: argparse.Namespace) -> None:
    from longtrail.gate.comparison import compare, shown, write_json
    from longtrail.runs.baseline import read_scores

    runs = [path if path.is_file() else _run_folder(path) for path in (args.before, args.after)]
    found = compare(read_scores(runs[0]), read_scores(runs[1]), (args.contender_a, args.contender_b))
    print(shown(found))
    if args.json:
        write_json(found, args.json)


def _baseline(args: argparse.Namespace) -> None:
    from longtrail.runs.baseline import scores_of, write_baseline
    from longtrail.runs.store import Run

    scores = scores_of(Run.open(_run_folder(args.run)))
    path = write_baseline(scores, args.out or REPORTS / "baselines" / f"{scores.name}.json")
    print(f"{len(scores.cases)} cases in {path}")


def _report(args: argparse.Namespace) -> None:
    from longtrail.report.all_runs import write_and_print

    table, page = write_and_print(args.reports)
    print(table)
    print(page)


def _browse(args: argparse.Namespace) -> None:
    from longtrail.authoring.browse import browse

    browse(args.target, port=args.port)


def _contact_sheet(args: argparse.Namespace) -> None:
    from longtrail.authoring.contact_sheet import contact_sheet

    print(contact_sheet(args.hosts, args.out, tell=print))


def _mock_model(args: argparse.Namespace) -> None:
    from longtrail.llm.mock.server import serve

    serve(args.port)


def _record_noise(args: argparse.Namespace) -> None:
    from longtrail.authoring.noise.errand import load_errands
    from longtrail.authoring.noise.from_runs import noise_of_runs
    from longtrail.authoring.noise.recording import record
    from longtrail.noise.pool import POOL

    if args.runs:
        if args.hosts or args.out is None:
            raise UsageError("--from: needs --out FILE, and no HOST")
        pool = noise_of_runs([_run_folder(run) for run in args.runs], args.out)
        print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens in {args.out}")
        return
    pool = record(load_errands(args.hosts), args.out or POOL, tell=print)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens")


def _annotate(args: argparse.Namespace) -> None:
    from longtrail.authoring.annotation import read_sheet, report, shown, write_sheet
    from longtrail.runs.store import Run
    from longtrail.tasks.loading import load_tasks

    run = Run.open(_run_folder(args.run))
    if args.read:
        print(shown(report([read_sheet(path) for path in args.read], run.results())))
        return
    if args.out is None:
        raise UsageError("annotate needs --out FILE (write a sheet) or --read FILE ... (read filled ones)")
    rows = write_sheet(run, load_tasks(), args.out, args.cases, args.seed)
    print(f"{rows} cases in {args.out}")


def _import_pathways(args: argparse.Namespace) -> None:
    from longtrail.importing.summary import import_pathways, shown, summarize, write_json

    runs = import_pathways(args.tasks, args.runs)
    groups = summarize(runs)
    print(shown(groups))
    if args.json:
        write_json(runs, groups, args.json)


def _import_webcanvas(args: argparse.Namespace) -> None:
    from longtrail.importing.webcanvas_report import import_webcanvas

    print(import_webcanvas(args.file, args.out, args.score))


def _check_live(args: argparse.Namespace) -> int:
    from longtrail.authoring.live_check import check, chosen, show, write_json
    from longtrail.importing.webcanvas_report import read_tasks as read_nodes
    from longtrail.options.run_options import pairs
    from longtrail.tasks.loading import load_tasks, read_tasks
    from longtrail.web.live.live_web import LiveWeb

    if args.nodes and (args.tasks or args.file):
        raise UsageError("check-live: --nodes names a file of published tasks; leave TASK and --file out")
    own = pairs("--live-host", args.live_host)
    web = LiveWeb(own, hold=args.live_commits == "hold")
    known = list(read_tasks(args.file) if args.file else load_tasks().values()) if not args.nodes else []
    tasks = read_nodes(args.nodes) if args.nodes else chosen(known, args.tasks)
    rows = show(check(tasks, web, replay=not args.pages), [task.id for task in tasks], print)
    if args.json:
        write_json(rows, args.json)
    return int(args.strict and any(row.verdict != "ok" for row in rows))


def _schema(args: argparse.Namespace) -> None:
    import json

    from longtrail.agents.message_schema import schema

    text = json.dumps(schema(), indent=2) + "\n"
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
        print(args.out)


def _validate(args: argparse.Namespace) -> None:
    from longtrail.authoring.validity.check import complaints, read_own

    own = read_own(args.path)
    found = list(complaints(args.path, own))
    for line in found:
        print(line)
    if found:
        raise LongtrailError(f"{len(found)} faults in {args.path}")
    print(f"{len(own)} tasks are valid in {args.path}")


def _run_folder(given: Path) -> Path:
    """A run by its folder or by its name."""
    for folder in (given, REPORTS / "runs" / given):
        if folder.is_dir():
            return folder
    raise LongtrailError(f"{given}: there is no such run (looked here and in {REPORTS / 'runs'})")
