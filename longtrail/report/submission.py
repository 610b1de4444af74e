"""Submission: what a maintainer must know about somebody else's run. Every episode is scored again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.agents.spec import AgentSpec
from longtrail.llm.secrets import REMOVED
from longtrail.options.gate_rules import GateRules
from longtrail.runs.attempts import is_intact
from longtrail.runs.checked import check_run
from longtrail.runs.manifest import data_with, versions
from longtrail.runs.rescore import own_tasks_of, rescore
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of
from longtrail.statistics.aggregate import web_of
from longtrail.tasks.loading import stories_checksum
from longtrail.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Submission:
    """What was found, one line each."""

    notes: tuple[str, ...]
    problems: tuple[str, ...]
    """Faults; with any of them, the run can't be accepted."""


def check_submission(run: Run, tasks: Mapping[str, Task]) -> Submission:
    """Check a run against its plan, its files, this version's data and this version's scoring. It only moves damaged
    episodes to quarantine. Raises DataError for an unreadable file or an unknown task."""
    manifest, checked = run.manifest, check_run(run)
    problems, begun = list(checked.problems()), checked.begun
    quarantine = sorted((run.folder / "quarantine").glob("*.json"))
    if not manifest.cases:
        problems.append("the run has no plan")
    own_tasks = own_tasks_of(run)
    if own_tasks:
        problems.append(f"{len(own_tasks)} of the run's tasks do not ship with Longtrail, e.g. {min(own_tasks)}")
    stories = stories_checksum(own_tasks.values())
    data, data_here = {manifest.data, *(result.provenance.data for result in checked.results)}, data_with(stories)
    if data != {data_here}:
        problems.append(f"made with data {', '.join(sorted(data))}; here they are {data_here}")
    scored_here = {result.case.id: result for result in rescore(run, tasks)}
    differing = [result.case.id for result in checked.results if scored_here.get(result.case.id) != result]
    if differing:
        problems.append(f"{len(differing)} results differ when scored again, e.g. {differing[0]}")
    again = [stem for stem, files in run.attempts().items() if _played_on(run, files)]
    if again:
        problems.append(f"{len(again)} cases were played again although an attempt was valid, e.g. {again[0]}")
    attempts = {result.case.id: result.attempt + len(begun.get(result.case.id, ())) for result in checked.results}
    replayed = [case for case, earlier in attempts.items() if earlier]
    rules = GateRules()
    if rules.too_many_replays(len(replayed), len(checked.results)):
        share = len(replayed) / len(checked.results)
        limit = f"the limit is {100 * rules.replay_limit:g} %"
        problems.append(f"{100 * share:.0f} % of the cases were played again after trouble; {limit}")
    if manifest.left_out:
        problems.append(f"other runs of the same shards were left out: {', '.join(manifest.left_out)}")
    problems += [f"quarantine has an intact episode: {path.name}" for path in quarantine if is_intact(path)]
    problems += [f"set aside: {name}: {problem}" for name, problem in run.quarantined]
    discarded = sum(result.discarded_steps for result in checked.results) + sum(map(sum, begun.values()))
    web = web_of(checked.results)
    agents = {result.contender.agent for result in checked.results}
    redacted = sum(REMOVED.encode() in path.read_bytes() for files in run.attempts().values() for path in files)
    invalid = sum(result.outcome == "invalid" for result in checked.counted)
    notes = [
        f"{len(checked.results)} results of {len(manifest.cases)} planned cases, {invalid} invalid or lost",
        *(f"agent {agent}: {AgentSpec.parse(agent).trust(web)}" for agent in sorted(agents)),
        f"{len(replayed)} cases were played again after trouble: {sum(attempts.values())} attempts with "
        f"{discarded} steps discarded, {sum(map(len, begun.values()))} of them ended by a killed worker or session",
        f"{len(quarantine)} files are in quarantine",
        f"{redacted} episodes contain redactions",
        f"{versions(manifest, stories)}; chain {chain_of(run)[:12] or 'none'}",
    ]
    return Submission(tuple(notes), tuple(problems))


def _played_on(run: Run, files: Sequence[Path]) -> bool:
    """Whether a valid attempt was followed by another one: then somebody could have chosen between them."""
    return any((attempt := run.latest([path])) is not None and attempt.valid for path in files[1:])
