"""Make a noise pool from a model's own trajectories in finished runs."""

import argparse
from pathlib import Path

from longtrail.paths import find_run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which runs, and where to write the pool."""
    text = "the model's finished runs"
    parser.add_argument("--from", dest="runs", type=Path, nargs="+", required=True, metavar="RUN", help=text)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file for the pool")


def run(args: argparse.Namespace) -> None:
    """Write the pool and print its size."""
    from longtrail.authoring.noise_from_runs import noise_of_runs

    pool = noise_of_runs([find_run(run) for run in args.runs], args.out)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens in {args.out}")
