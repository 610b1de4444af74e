"""Where the shipped files are, both in a clone and in an installed wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
DATA = PACKAGE / "data"
TASKS = DATA / "tasks"
SITES = DATA / "sites"
WORLDS = DATA / "worlds"
NOISE = DATA / "noise"
POLICIES = DATA / "policies"
PUBLISHED = DATA / "published"


def shipped(name: str) -> Path:
    """Where `fixtures`, `benchmark_tests` or `markers.ini` is: next to the package in a clone, inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.exists() else PACKAGE.parent / name
