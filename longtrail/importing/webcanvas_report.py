"""`longtrail import webcanvas`: writes a noise pool or a tasks file, or scores trajectories by one, and reports it."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from longtrail.errors import DataError, UsageError
from longtrail.importing.webcanvas import PublishedTrajectory, WebCanvasTask, read_published, read_trajectories
from longtrail.importing.webcanvas_noise import ImportedNoise, as_noise
from longtrail.importing.webcanvas_tasks import NodeTask, TrajectoryScore, as_tasks, fare, read_node_tasks, write_tasks
from longtrail.noise.pool import save_pool
from longtrail.report.text import plain


def import_webcanvas(file: Path, out: Path | None, score: Path | None) -> str:
    """Read a published file, write the converted one to `out`, and return the report. Raises DataError, UsageError."""
    if score is not None:
        if out is not None:
            raise UsageError("import webcanvas: --score only prints: give either --out or --score")
        return _scored(fare(read_trajectories(file), read_tasks(score)), score)
    published = read_published(file)
    trajectories = [one for one in published if isinstance(one, PublishedTrajectory)]
    if trajectories:
        noise = as_noise(trajectories)
        if not noise.trajectories:
            raise DataError(file, "", "no trajectory can be used as noise: " + noise.left[0].why)
        if out is not None:
            _save(noise, out)
        return _noise(noise, out)
    tasks = as_tasks([one for one in published if isinstance(one, WebCanvasTask)], file)
    if out is not None:
        write_tasks(tasks, out)
    return _tasks(tasks, out)


def read_tasks(path: Path) -> tuple[NodeTask, ...]:
    """A tasks file of ours (YAML), or the published one. Raises DataError."""
    if path.suffix in (".yaml", ".yml"):
        return read_node_tasks(path)
    published = [one for one in read_published(path) if isinstance(one, WebCanvasTask)]
    if not published:
        raise DataError(path, "record 1.evaluation", "expected tasks, got trajectories")
    return as_tasks(published, path)


def _save(noise: ImportedNoise, out: Path) -> None:
    try:
        save_pool(noise.trajectories, out)
    except OSError as error:
        raise DataError(out, "", f"can't be written: {error.strerror}") from error


def _noise(noise: ImportedNoise, out: Path | None) -> str:
    kept = noise.trajectories
    tokens = sum(one.tokens for one in kept)
    lines = [f"{len(kept)} trajectories on {len({one.host for one in kept})} hosts, {tokens} tokens"]
    lines += [f"lacking in {count} of {noise.steps} steps: {what}" for what, count in noise.lacking.items() if count]
    lines += [f"left out: {plain(one.task)}: {one.why}" for one in noise.left]
    return "\n".join([*lines, _written(out)])


def _tasks(tasks: Sequence[NodeTask], out: Path | None) -> str:
    steps = [step for task in tasks for step in task.key_steps]
    by_match = ", ".join(f"{count} {match}" for match, count in sorted(Counter(step.match for step in steps).items()))
    without = [task for task in tasks if any(step.undecidable for step in task.key_steps)]
    lines = [f"{len(tasks)} tasks, {len(steps)} key nodes: {by_match}"]
    if without:
        reasons = Counter(reason for task in without for step in task.key_steps if (reason := step.undecidable))
        lines.append(f"{len(without)} tasks have nodes that can't be decided here:")
        lines += [f"  {count} x {plain(reason)}" for reason, count in reasons.most_common()]
    return "\n".join([*lines, _written(out)])


def _written(out: Path | None) -> str:
    return f"written to {out}" if out else "nothing was written: give --out FILE"


def _scored(fared: Sequence[TrajectoryScore], score: Path) -> str:
    if not fared:
        raise DataError(score, "", "none of its tasks matches a trajectory (compared by their words)")
    lines = []
    for one in fared:
        decidable = [hit for hit in one.hits if hit.name not in one.undecidable]
        reached = sum(hit.step is not None for hit in decidable)
        open_ = f", {len(one.undecidable)} not decidable from a log" if one.undecidable else ""
        lines.append(
            f"{reached} of {len(decidable)} nodes{open_}; its log says {one.published or '-'}: {plain(one.task)}"
        )
        lines += [f"    {hit.name}: {plain(hit.reason)}" for hit in decidable if hit.step is None]
    return "\n".join(lines)
