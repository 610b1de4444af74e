"""Resume: continues a run with the same command. It plays missing and invalid cases and keeps the rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.errors import HarnessTrouble, LongtrailError, UsageError
from longtrail.options.run_options import Options
from longtrail.runs.manifest import Manifest, differences, new_manifest, software_differences
from longtrail.runs.store import Run

if TYPE_CHECKING:
    from longtrail.runs.object_store import Mirror


def reopen(folder: Path, options: Options, stories: str = "", mirror: "Mirror | None" = None) -> Run:
    """The run, locked for this process. `mirror`: its copy at an address, which is downloaded. Raises UsageError if the
    command or version differs from the run's, for a shard also the rest of the software, or if the copy is of another
    run, before anything is downloaded or written."""
    before, now = _manifest(folder, mirror), new_manifest(folder.name, options.public(), stories)
    software = software_differences(before, now) if options.shard else ()  # merging compares only the first sessions'
    for difference in (*differences(before, now), *software):
        raise UsageError(f"--resume {folder.name}: {_difference(*difference)}")
    run = Run(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HarnessTrouble("storage", f"{folder} can't be made: {error.strerror}") from error
    run.lock()
    try:
        if mirror:
            mirror.pull()
        _check_budget(run, options)
        run.go_on()
        _forget_calls(run)
    except LongtrailError:
        run.close()
        raise
    return run


def _manifest(folder: Path, mirror: "Mirror | None") -> Manifest:
    """That of the local run; if there is none, the copy's. Raises UsageError, DataError."""
    copy = mirror.manifest() if mirror else None
    if mirror and not (folder / "run.json").is_file():
        if copy is None:
            raise UsageError(f"{mirror.address}: there is no run here (run.json is missing)")
        return copy
    mine = Run.open(folder).manifest
    if mirror and copy is not None:
        _check_copy(mine, copy, f"{mirror.address} is another run than the one in {folder}")
    return mine


def _check_copy(mine: Manifest, copy: Manifest, apart: str) -> None:
    """Raise UsageError if the copy is of another run of this name. One of both may lack the planned cases."""
    for what, here, there in (("started", mine.started, copy.started), *differences(mine, copy)):
        if here != there:
            raise UsageError(f"{apart}: {what} is {_short(there)} there and {_short(here)} here; move one of them away")
    if mine.cases and copy.cases and set(mine.cases) != set(copy.cases):
        difference = f"has {len(copy.cases)} cases there and {len(mine.cases)} here, and not the same"
        raise UsageError(f"{apart}: {difference}; move one of them away")


def other_software(run: Run) -> tuple[str, ...]:
    """A line for the summary if this session has other code, or another tokenizer or package, than the run's first."""
    found = [_difference(*each) for each in software_differences(run.manifest, new_manifest(run.folder.name, {}))]
    return (f"this session has other software than the run's first session: {'; '.join(found)}",) if found else ()


def check_plan(run: Run, cases: Sequence[str], *, grows: bool = False) -> None:
    """Raise UsageError if these are not the cases that the run was planned with. `grows`: its plan may still lack some
    of them."""
    planned = run.manifest.cases  # None: the run is new, or ended before its cases were recorded
    if planned and set(planned) != set(cases) and not (grows and set(planned) < set(cases)):
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


def _difference(what: str, old: Any, new: Any) -> str:
    return f"{what} was {_short(old)} in that run and is {_short(new)} now"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 200 else f"{text[:200]}..."
