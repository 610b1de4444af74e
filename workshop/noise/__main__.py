"""Record the shipped noise pool: `python -m workshop.noise [--out FILE] [HOST ...]`.

Only the named sites are recorded; the other sites' trajectories in the file are kept.
"""

import argparse
from pathlib import Path

from longtrail.noise.pool import POOL
from workshop.noise.errand import load_errands
from workshop.noise.recording import record


def main() -> None:
    """Record, print a line for each trajectory, and the size of the pool."""
    parser = argparse.ArgumentParser(prog="python -m workshop.noise", description=__doc__)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="record only these sites (default: all)")
    parser.add_argument("--out", type=Path, default=POOL, metavar="FILE", help="the pool (default: the shipped one)")
    args = parser.parse_args()
    pool = record(load_errands(args.hosts), args.out, tell=print)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens")


if __name__ == "__main__":
    main()
