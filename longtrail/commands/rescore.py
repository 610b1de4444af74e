"""Score a finished run again from its episode files. If nothing has changed, the results file stays byte-identical."""

import argparse
from pathlib import Path

from longtrail.paths import RUN_HELP, find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run."""
    parser.add_argument("run", type=Path, metavar="RUN", help=RUN_HELP)


def run(args: argparse.Namespace) -> int:
    """Score, write the results, and print their path. Returns 1 if planned cases are missing or the results changed."""
    from longtrail.runs.manifest import versions
    from longtrail.runs.own_tasks import own_tasks_of, tasks_of
    from longtrail.runs.rescore import rescore_files
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
