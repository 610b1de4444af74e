"""Resume: continues a run with the same command. It plays missing and invalid cases and keeps the rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.options.run_options import Options
from longtrail.runs.manifest import differences, new_manifest
from longtrail.runs.store import Run


def reopen(folder: Path, options: Options, stories: str = "") -> Run:
    """The run, locked for this process. Raises UsageError if the command or version differs from the run's."""
    run = Run.open(folder)
    for what, old, new in differences(run.manifest, new_manifest(folder.name, options.public(), stories)):
        raise UsageError(f"--resume {folder.name}: {what} was {_short(old)} in that run and is {_short(new)} now")
    _check_budget(run, options)
    run.lock()
    run.go_on()
    _forget_calls(run)
    return run


def check_plan(run: Run, cases: Sequence[str]) -> None:
    """Raise UsageError if these are not the cases that the run was planned with."""
    planned = run.manifest.cases  # None: the run is new, or ended before its cases were recorded
    if planned and set(planned) != set(cases):
        strange = sorted(set(planned) ^ set(cases))[0]
        where = "is planned there, not here" if strange in set(planned) else "is planned here, not there"
        raise UsageError(
            f"--resume {run.folder.name}: it has {len(planned)} cases and this command {len(cases)} "
            f"({strange} {where}): use the same -m, -k and paths as before"
        )


def _check_budget(run: Run, options: Options) -> None:
    """A budget is for the whole run, so earlier spending counts."""
    from longtrail.llm.call_book import FILE, CallBook

    budget = options.limits.budget
    if budget is None or not (run.folder / FILE).exists():
        return
    spent = CallBook(run.folder).spent
    if spent >= budget:
        raise UsageError(
            f"--budget {budget:g}: the run has spent ${spent:.4f} already; give a higher budget to continue"
        )


def _forget_calls(run: Run) -> None:
    """No call of an earlier session is still running, on any machine."""
    from longtrail.llm.call_book import FILE, CallBook

    if (run.folder / FILE).exists():
        CallBook(run.folder).begin_again()


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}..."
