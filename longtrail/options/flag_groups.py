"""Flags of four groups: long histories, the user's own tasks and sites, where cases are played, and limits.

Part of `flags.FLAGS`; it imports just as little.
"""

from pathlib import Path
from typing import get_args

from longtrail.options.flag import Flag
from longtrail.records.run_kinds import InterferenceKind, NeedlePlace, NoiseKind, Placement

DEFAULT_LENGTHS = "0,relocated,25k,50k,75k,100k,125k,150k"
"""The paper's seven lengths, and the control."""
HISTORY_FLAGS: tuple[Flag, ...] = (
    Flag(
        "--lengths",
        help=f"context lengths in tokens (default {DEFAULT_LENGTHS}); with a length above 0, "
        "decision tasks have long histories too",
        field="conditions",
        listed_short=True,
    ),
    Flag(
        "--noise",
        help="long context: noise from other sites (orthogonal, as in the paper), or also the task's own (similar)",
        choices=get_args(NoiseKind),
        default="orthogonal",
        effect="measured",
    ),
    Flag(
        "--needle",
        help="long context: position of the first part in the history (the paper: first)",
        choices=get_args(NeedlePlace),
        default="first",
        effect="measured",
    ),
    Flag(
        "--interference",
        help="long context: `high` adds entries that are easily confused with the first part (the paper: off)",
        choices=get_args(InterferenceKind),
        default="off",
        effect="measured",
    ),
    Flag(
        "--notebook",
        help="shifts in sessions: how many characters the agent's notebook holds (default: any number)",
        converts_to=int,
        metavar="CHARACTERS",
        effect="measured",
        low=100,
    ),
    Flag(
        "--placement",
        help="decision tasks with --lengths: what comes before the noise, any of "
        f"{', '.join(get_args(Placement))} (default: each of them)",
        default="",
        field="conditions",
    ),
)
OWN_FLAGS = (
    Flag(
        "--tasks",
        help="a folder of your own task files, played together with the shipped tasks (-m own: only yours)",
        converts_to=Path,
        metavar="DIR",
        field="own_tasks",
    ),
    Flag(
        "--site",
        help="use this site or app at your own address, e.g. shopping_admin=http://host:7780/admin",
        repeated=True,
        metavar="NAME=ADDRESS",
        field="sites",
    ),
    Flag(
        "--live-host",
        help="live: send requests for this host to your own staging server, e.g. "
        "shop.example.com=http://127.0.0.1:8000",
        repeated=True,
        metavar="NAME=ADDRESS",
        effect="measured",
        field="live_hosts",
    ),
)
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
)
LIMIT_FLAGS = (
    Flag(
        "--concurrency",
        help="limit of simultaneous calls of each model, for all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
        low=1,
    ),
    Flag(
        "--rpm",
        help="limit of model requests per minute, for all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
    ),
    Flag(
        "--tpm",
        help="limit of model tokens per minute, for all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
    ),
    Flag(
        "--budget",
        help="limit of the cost of all model calls",
        converts_to=float,
        metavar="USD",
        effect="free",
        field="limits",
    ),
    Flag(
        "--case-timeout",
        help="seconds of the agent for one attempt at a case (default 1800; 0: no limit); then the case fails",
        converts_to=float,
        default=1800.0,
        metavar="SECONDS",
        effect="measured",
        low=0,
    ),
    Flag(
        "--case-tokens",
        help="tokens of the agent for one attempt at a case (default: no limit); then the case fails",
        converts_to=int,
        metavar="N",
        effect="measured",
        low=1,
    ),
    Flag(
        "--case-cost",
        help="USD of the agent for one attempt at a case (default: no limit); then the case fails",
        converts_to=float,
        metavar="USD",
        effect="measured",
        low=0,
    ),
)
GATE_FLAGS: tuple[Flag, ...] = (
    Flag(
        "--baseline",
        help=(
            "gate: compare with this finished run, or with a file from `longtrail baseline`; the comparison alone "
            "sets the exit code (0 no regression found, 1 regression, 7 invalid)"
        ),
        converts_to=Path,
        metavar="RUN|FILE",
    ),
    Flag(
        "--baseline-contender",
        help="gate: baseline entry to compare with (default: same agent and model)",
        default="",
        metavar="LABEL",
    ),
    Flag(
        "--baseline-subset",
        help="gate: allow the baseline to have cases that this run does not",
        switch=True,
        field="rules",
    ),
    Flag(
        "--baseline-variant",
        help="gate: allow a baseline of another --variant: the drop then shows what the contender had memorized",
        switch=True,
        field="rules",
    ),
    Flag(
        "--alpha", help="gate: accepted probability of a false alarm (default 0.05)", converts_to=float, field="rules"
    ),
    Flag("--margin", help="gate: largest drop that PASS may hide (default 0.05)", converts_to=float, field="rules"),
    Flag(
        "--gate",
        help=(
            "gate: `strict` exits with 6 unless a drop as large as the margin is ruled out, for releases; `sequential` "
            "plays another repeat only while it can change the verdict; may be repeated"
        ),
        choices=("strict", "sequential"),
        repeated=True,
        field="rules",
    ),
    Flag(
        "--max-repeats",
        help="gate: with `--gate sequential`, the most repeats of each case (default 10), instead of --repeats",
        converts_to=int,
        field="rules",
        low=2,
        high=1000,
    ),
)
"""How a run is compared with its baseline."""
