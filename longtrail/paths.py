"""Where the shipped files are, both in a clone and in an installed wheel, and the runs that a command line names."""

from pathlib import Path

from longtrail.errors import LongtrailError, UsageError

PACKAGE = Path(__file__).resolve().parent
DATA = PACKAGE / "data"
TASKS = DATA / "tasks"
SITES = DATA / "sites"
WORLDS = DATA / "worlds"
NOISE = DATA / "noise"
POLICIES = DATA / "policies"
PUBLISHED = DATA / "published"
REPORTS = Path("reports")
"""Where runs and reports are written by default."""
CASES = "benchmark_tests"
"""The folder of the shipped cases in a clone; in a wheel, the package `longtrail.benchmark_tests`."""
CANARY = "longtrail:c5b75d7a-18e1-4dbc-a162-d55ea40fa164"
"""A string in every data file, the same for all versions. People who train a model can use it to exclude these files;
people who evaluate a model can use it to test whether the model has seen them."""
NOTICE = f"Benchmark data, not for training. Canary {CANARY}"
"""The line at the top of each file: a comment in YAML and templates, a key in JSON."""


def shipped(name: str) -> Path:
    """Where `fixtures`, `benchmark_tests` or `markers.ini` is: next to the package in a clone, inside it in a wheel."""
    inside = PACKAGE / name
    return inside if inside.exists() else PACKAGE.parent / name


def cases_folder() -> str:
    """The folder that printed commands name: `evals`, which `longtrail init` writes; in a clone, that of its cases."""
    return CASES if Path(CASES).is_dir() else "evals"


def find_run(given: Path, reports: Path = REPORTS) -> Path:
    """A run's folder from its path or its name. Raises LongtrailError if there is no such run."""
    for folder in (given, reports / "runs" / given):
        if folder.is_dir():
            return folder
    raise LongtrailError(f"{given}: there is no such run (looked here and in {reports / 'runs'})")


def write_file(path: Path, text: str) -> Path:
    """Write a file that the user has named, and make its folder. Raises UsageError if that is impossible."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: can't be written: {error.strerror}") from error
    return path
