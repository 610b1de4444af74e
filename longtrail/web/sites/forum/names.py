"""Names: rules for names of members, forums and wiki pages; addresses of submissions; ids that increase with time."""

import re

USER = re.compile(r"^(\w{3,25}|!deleted\d+)$")
FORUM = re.compile(r"^\w{3,25}$")
WIKI = re.compile(r"^[A-Za-z][A-Za-z0-9_-]*(/[A-Za-z][A-Za-z0-9_-]*)*$")
SLUG_LENGTH = 60
EPOCH = 1_672_531_200
"""2023-01-01 00:00 UTC: ids count from here."""


def slug(title: str) -> str:
    """Lower-case words joined by hyphens, at most 60 characters, cut between words; `-` if nothing is left."""
    shortened = ""
    for word in re.split(r"[^\w]+", title.lower()):
        if not word:
            continue
        longer = f"{shortened}-{word}" if shortened else word
        if len(longer) > SLUG_LENGTH:
            break
        shortened = longer
    return shortened or "-"


def submission_id(created: int) -> int:
    """The id of a submission of this time (one per 12 minutes): ids increase with time and reveal nothing else."""
    return 20_000 + (created - EPOCH) // 720


def comment_id(created: int) -> int:
    """The same for comments, one for every minute."""
    return 300_000 + (created - EPOCH) // 60


def free(wanted: int, taken: set[int]) -> int:
    """Reserve the first free id from `wanted` upwards."""
    while wanted in taken:
        wanted += 1
    taken.add(wanted)
    return wanted
