"""Record the shipped noise pool: `python -m workshop.noise [--out FILE] [HOST ...]`, or the entries that can be
confused with first parts: `python -m workshop.noise --interference [HOST ...]`, or tickets of the shop and the forum:
`python -m workshop.noise --tickets`.

Only the named sites are recorded; the other sites' trajectories in the file are kept.
"""

import argparse
from pathlib import Path

from longtrail.noise.pool import LOOKALIKES, POOL, TICKETS
from workshop.noise.errand import load_errands
from workshop.noise.lookalikes import lookalike_errands
from workshop.noise.recording import record
from workshop.noise.tickets import record_tickets


def main() -> None:
    """Record, print a line for each trajectory, and the size of the pool."""
    parser = argparse.ArgumentParser(prog="python -m workshop.noise", description=__doc__)
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="record only these sites (default: all)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file (default: the shipped one)")
    parser.add_argument("--interference", action="store_true", help="record the lookalikes of all tasks")
    parser.add_argument("--tickets", action="store_true", help="record tickets of the shop and the forum")
    args = parser.parse_args()
    if args.tickets:
        pool = record_tickets(args.out or TICKETS, tell=print)
    elif args.interference:
        errands = [errand for errand in lookalike_errands() if not args.hosts or errand.host in args.hosts]
        pool = record(errands, args.out or LOOKALIKES, tell=print)
    else:
        pool = record(load_errands(args.hosts), args.out or POOL, tell=print)
    print(f"{len(pool.trajectories)} trajectories, {pool.tokens} tokens")


if __name__ == "__main__":
    main()
