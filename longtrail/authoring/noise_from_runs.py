"""Noise from runs: a finished run as a noise pool. An agent's histories then contain its own
trajectories, as in the long-context paper."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from longtrail.checks.hosts import host_of
from longtrail.errors import UsageError
from longtrail.noise.pool import NoisePool, NoiseTrajectory, load_pool, save_pool
from longtrail.records.memory import PastTask, recall
from longtrail.records.trajectory import Step, Trajectory
from longtrail.runs.rescore import tasks_of
from longtrail.runs.store import Run
from longtrail.tasks.task import DecisionTask, LongContextTask, Task

LEAST_STEPS = 2
"""Shorter parts are left out."""


def noise_of_runs(folders: Iterable[Path], out: Path) -> NoisePool:
    """Write one contender's finished runs as a pool: each part of each task once, from its first repeat.

    Long-context tasks give two trajectories, from cases without noise; decision tasks give one, from the prompt without
    guidance. Raises UsageError if there is nothing to write, or if the runs have several contenders.
    """
    pool: dict[str, NoiseTrajectory] = {}
    contenders: set[str] = set()
    for folder in folders:
        run = Run.open(folder)
        tasks = tasks_of(run)
        for trajectory in run.episodes():
            if trajectory.trouble is None and _without_conditions(trajectory):
                contenders.add(trajectory.contender.label)
                for noise in _noise_of_episode(trajectory, tasks):
                    pool.setdefault(noise.id, noise)
    if len(contenders) > 1:
        raise UsageError(f"a pool must come from one contender; these runs have {', '.join(sorted(contenders))}")
    if not pool:
        raise UsageError("these runs have no finished case without noise (repeat 0), so there is nothing to write")
    save_pool(pool.values(), out)
    return load_pool(out)


def _without_conditions(trajectory: Trajectory) -> bool:
    """Whether the case has no noise, no guidance and no appeal."""
    case = trajectory.case
    return not (case.repeat or case.noise_tokens or case.relocated or case.appeal) and case.prompt in (None, "raw")


def _noise_of_episode(trajectory: Trajectory, tasks: Mapping[str, Task]) -> Iterator[NoiseTrajectory]:
    task = tasks.get(trajectory.case.task)
    if isinstance(task, LongContextTask):
        for phase, part in (("a1", task.a1), ("a2", task.a2)):
            steps = [step for step in trajectory.steps if step.phase == phase]
            yield from _noise_of_steps(f"{task.id}.{phase}", task.host, task.topics, part.instruction, steps)
    elif isinstance(task, DecisionTask):
        topics = (task.category.replace("_", " "),)
        yield from _noise_of_steps(task.id.lower(), host_of(task.start), topics, task.trigger, trajectory.steps)


def _noise_of_steps(
    name: str, host: str, topics: tuple[str, ...], instruction: str, steps: Iterable[Step]
) -> Iterator[NoiseTrajectory]:
    phase_steps = tuple(steps)
    if len(phase_steps) >= LEAST_STEPS:
        episode = PastTask(instruction=instruction, steps=recall(phase_steps))
        yield NoiseTrajectory(id=name, host=host, topics=topics, episode=episode, ended_at=phase_steps[-1].outcome.url)
