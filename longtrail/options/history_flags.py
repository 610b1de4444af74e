"""Flags for long histories. Part of `flags.FLAGS`; it imports just as little."""

from typing import get_args

from longtrail.options.flag import Flag
from longtrail.records.run_kinds import NeedlePlace, NoiseKind, Placement

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
        "--placement",
        help="decision tasks with --lengths: what comes before the noise, any of "
        f"{', '.join(get_args(Placement))} (default: each of them)",
        default="",
        field="conditions",
    ),
)
