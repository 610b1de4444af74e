"""Record a noise pool: play its errands on the embedded sites, or take trajectories from finished runs."""

import argparse
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.runs.run_folder import find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to record, and where to write it."""
    parser.add_argument(
        "hosts", nargs="*", metavar="HOST", help="record only these sites; keep the other sites' trajectories"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=None,
        metavar="FILE",
        help="file for the pool (default in a clone: the shipped pool)",
    )
    parser.add_argument(
        "--from",
        dest="runs",
        type=Path,
        nargs="+",
        default=(),
        metavar="RUN",
        help="play nothing: make the pool from a model's own trajectories in these finished runs",
    )


def run(args: argparse.Namespace) -> None:
    """Write the pool and print its size."""
    if args.runs:
        _from_runs(args)
    else:
        _from_errands(args)


def _from_runs(args: argparse.Namespace) -> None:
    from longtrail.authoring.noise.from_runs import noise_of_runs

    if args.hosts or args.out is None:
        raise UsageError("--from: needs --out FILE, and no HOST")
    pool = noise_of_runs([find_run(run) for run in args.runs], args.out)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens in {args.out}")


def _from_errands(args: argparse.Namespace) -> None:
    from longtrail.authoring.noise.errand import load_errands
    from longtrail.authoring.noise.recording import record
    from longtrail.noise.pool import POOL
    from longtrail.paths import PACKAGE

    clone = (PACKAGE.parent / "pyproject.toml").is_file()
    out = (args.out or POOL).resolve()
    if not clone and out.is_relative_to(PACKAGE):
        raise UsageError("record-noise: needs --out FILE; the installed package is never changed")
    pool = record(load_errands(args.hosts), out, tell=print)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens")
