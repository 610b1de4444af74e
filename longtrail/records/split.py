"""The public split of the tasks: which variants agents may be trained on, and which are kept for tests.

A task is for tests as it ships, and in the variants of small seeds. All other variants are for training. (docs/labs.md)
"""

from typing import Literal

from longtrail.errors import UsageError

Split = Literal["test", "train"]
FIRST_FOR_TRAINING = 100_000
"""Variants with smaller seeds are for tests."""
HIGHEST_SEED = 999_999
"""Of `--variant`."""


def split_of(variant: int | None) -> Split:
    """The split that the variant of a seed belongs to; None: the tasks as they ship."""
    return "test" if variant is None or variant < FIRST_FOR_TRAINING else "train"


def training_line(variant: int | None) -> str:
    """For a run's summary: a warning if its variant is for training; otherwise empty."""
    if split_of(variant) == "test":
        return ""
    return f"--variant {variant} is for training (docs/labs.md): report tests on shipped tasks, or on smaller seeds"


def check_split(split: Split, variant: int | None) -> None:
    """Raise UsageError if a variant does not belong to the split, or has no seed that `--variant` takes."""
    if split not in ("test", "train"):
        raise UsageError(f"split={split!r}: expected test or train")
    if variant is not None and not 1 <= variant <= HIGHEST_SEED:
        raise UsageError(f"variant={variant}: expected a seed from 1 to {HIGHEST_SEED}")
    if split_of(variant) != split:
        seeds = f"{FIRST_FOR_TRAINING} to {HIGHEST_SEED}" if split == "train" else f"1 to {FIRST_FOR_TRAINING - 1}"
        shipped = "" if split == "train" else ", or none for the shipped tasks"
        raise UsageError(f"variant={variant} is not for split={split!r}: its seeds are {seeds}{shipped}")
