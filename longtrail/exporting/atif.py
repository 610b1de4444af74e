"""ATIF: episodes in the Agent Trajectory Interchange Format 1.8 of Harbor, one JSON file for each.

A trajectory begins with the instruction as a user's step. Each further step is the agent's: its thought, its action as
a tool call, and as the observation what the page said afterwards.
"""

import json
from pathlib import Path
from typing import Any

from longtrail.records.observation import Observation
from longtrail.records.result import Result
from longtrail.records.trajectory import Step, Trajectory, Usage
from longtrail.runs.attempts import file_stem
from longtrail.runs.store import Run

VERSION = "ATIF-v1.8"
Fields = dict[str, Any]


def write_trajectories(run: Run, folder: Path) -> int:
    """Write the run's episodes into `folder`, each as `RUN/CASE.json`; returns how many."""
    results = {result.case.id: result for result in run.results()}
    target, count = folder / file_stem(run.folder.name), 0
    target.mkdir(parents=True, exist_ok=True)
    for episode in run.episodes():
        document = trajectory(run, episode, results.get(episode.case.id))
        text = json.dumps(document, ensure_ascii=False, indent=1)
        (target / f"{file_stem(episode.case.id)}.json").write_text(text, encoding="utf-8")
        count += 1
    return count


def trajectory(run: Run, episode: Trajectory, result: Result | None) -> Fields:
    """An episode as an ATIF document."""
    contender, steps, usage = episode.contender, list(episode.steps), episode.usage
    # an observation belongs to the action before it; the first page belongs to the instruction
    pages = [page_text(step.observation) for step in steps]
    first: Fields = {"step_id": 1, "source": "user", "message": episode.prompt}
    if pages:
        first["observation"] = {"results": [{"content": pages[0]}]}
    afterwards = [*pages[1:], None]
    documents = [first, *(_step(number, *pair) for number, pair in enumerate(zip(steps, afterwards, strict=False), 1))]
    judged = {"outcome": result.outcome, "reason": result.reason} if result else {}
    measures = result.values if result else {}
    return _defined(
        {
            "schema_version": VERSION,
            "session_id": run.folder.name,
            "trajectory_id": episode.case.id,
            "agent": _defined(
                {"name": contender.agent, "version": run.manifest.longtrail, "model_name": contender.model}
            ),
            "steps": documents,
            "final_metrics": _defined(
                {
                    "total_prompt_tokens": usage.prompt_tokens,
                    "total_completion_tokens": usage.completion_tokens,
                    "total_cached_tokens": usage.cached_tokens,
                    "total_cost_usd": usage.usd,
                    "total_steps": len(documents),
                    "extra": measures or None,
                }
            ),
            "extra": {"case": episode.case.model_dump(mode="json", exclude_none=True), **judged},
        }
    )


def _step(number: int, step: Step, after: str | None) -> Fields:
    """The agent's step `number` (1 is the first; the instruction comes before it), and the page afterwards."""
    call = f"call-{number}"
    calls = None
    if step.action:
        calls = [{"tool_call_id": call, "function_name": step.action.type, "arguments": arguments(step)}]
    results = [_defined({"source_call_id": call if calls else None, "content": after})] if after is not None else None
    return _defined(
        {
            "step_id": number + 1,
            "source": "agent",
            "message": step.thought or step.raw,
            "tool_calls": calls,
            "observation": {"results": results} if results else None,
            "metrics": _metrics(step.usage) if step.usage.calls else None,
            "llm_call_count": step.usage.calls,
            "extra": _defined({"phase": step.phase, "reflection": step.reflection or None}),
        }
    )


def _metrics(usage: Usage) -> Fields:
    return _defined(
        {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "cached_tokens": usage.cached_tokens,
            "cost_usd": usage.usd,
        }
    )


def _defined(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}


def page_text(observation: Observation) -> str:
    """What the agent was shown, as one text: errors and notes, the address and title, the page."""
    heading = f"{observation.url} {observation.title}"
    return "\n".join(filter(None, (observation.error, observation.note, heading, observation.text)))


def arguments(step: Step) -> dict[str, Any]:
    """The action's fields that differ from their defaults, without its type; empty without an action."""
    return step.action.model_dump(mode="json", exclude={"type"}, exclude_defaults=True) if step.action else {}
