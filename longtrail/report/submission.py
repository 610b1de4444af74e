"""Submission: what a maintainer must know of a run that somebody else made. Every episode is scored again here."""

from collections.abc import Mapping
from dataclasses import dataclass

from longtrail.agents.spec import AgentSpec
from longtrail.episode.runner import MAX_ATTEMPTS
from longtrail.llm.secrets import REMOVED
from longtrail.runs.checked import check_run
from longtrail.runs.manifest import data_checksum, versions
from longtrail.runs.rescore import rescore
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of
from longtrail.tasks.task import Task


@dataclass(frozen=True, slots=True)
class Submission:
    """What was found, one line each."""

    notes: tuple[str, ...]
    problems: tuple[str, ...]
    """With any of these, the run can't be taken."""


def check_submission(run: Run, tasks: Mapping[str, Task]) -> Submission:
    """Hold a run against its plan, its files, this version's data and this version's scoring. Writes nothing but torn
    episodes to quarantine. Raises DataError for a file that can't be read or a task that is not known."""
    manifest, checked = run.manifest, check_run(run)
    problems = list(checked.problems())
    if not manifest.cases:
        problems.append("the run has no plan")
    data = {manifest.data, *(result.provenance.data for result in checked.results)}
    if data != {data_checksum()}:
        problems.append(f"made with data {', '.join(sorted(data))}; this version has {data_checksum()}")
    again = {result.case.id: result for result in rescore(run, tasks)}
    other = [result.case.id for result in checked.results if again.get(result.case.id) != result]
    if other:
        problems.append(f"{len(other)} results are others when scored here, e.g. {other[0]}")
    many = [stem for stem, files in run.attempts().items() if len(files) > MAX_ATTEMPTS]
    if many:
        problems.append(f"{len(many)} cases have more than {MAX_ATTEMPTS} attempts, e.g. {many[0]}")
    problems += [f"put aside: {name}: {problem}" for name, problem in run.quarantined]
    agents = {result.contender.agent for result in checked.results}
    redacted = sum(REMOVED.encode() in path.read_bytes() for files in run.attempts().values() for path in files)
    invalid = sum(result.outcome == "invalid" for result in checked.counted)
    notes = [
        f"{len(checked.results)} results of {len(manifest.cases)} planned cases, {invalid} invalid or lost",
        *(f"agent {agent}: {AgentSpec.parse(agent).trust}" for agent in sorted(agents)),
        f"{redacted} episodes hold redactions",
        f"{versions(manifest)}; chain {chain_of(run)[:12] or 'none'}",
    ]
    return Submission(tuple(notes), tuple(problems))
