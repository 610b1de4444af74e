"""Engine flags: where cases are played, and how many model calls are under way there. Part of `flags.FLAGS`."""

from pathlib import Path

from longtrail.options.flag import Flag

THIS_MACHINE = "local"
"""What `--ray` without an address means."""
ENGINE_FLAGS = (
    Flag(
        "--ray",
        help="play cases on a Ray cluster: its address (HOST:PORT, or auto); without one, on this machine",
        bare=THIS_MACHINE,
        metavar="ADDRESS",
        effect="free",
        listed_short=True,
    ),
    Flag(
        "--ray-workers",
        help="with --ray: number of workers (default: as many as the cluster has CPUs)",
        converts_to=int,
        metavar="N",
        effect="free",
        low=1,
        high=10_000,
    ),
    Flag(
        "--ray-runtime-env",
        help="with --ray ADDRESS: YAML file with packages and variables that own agents need (Ray's runtime_env)",
        converts_to=Path,
        metavar="FILE",
        effect="free",
        file=True,
    ),
    Flag(
        "--concurrency",
        help="limit of simultaneous calls of each model, for all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
        low=1,
    ),
)
