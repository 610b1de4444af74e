"""Trajectories: converts a published run to our form as far as possible. Data that the files lack stay empty."""

import json
from typing import Any, Literal, cast

import longtrail
from longtrail.importing.published import PathwaysTask, PublishedRun
from longtrail.records.action import Action, Decide, Goto, Scroll
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Case, Contender, End, Outcome, Provenance, Step, Trajectory, Trouble

AGENT = "published"
"""Name of the contender's agent: another harness."""
_PROMPTS = {"minimal": "raw", "raw": "raw", "none": "raw", "hint": "hint", "explicit": "explicit"}
_STEP_LIMIT = ("MAX_STEPS_REACHED", "TIMEOUT", "MAX_STEPS", "INCOMPLETE")


def trajectory(run: PublishedRun, task: PathwaysTask) -> Trajectory:
    """One run. Steps have the addresses and texts that were logged; a log without them gives empty ones."""
    steps = tuple(_step(number, raw, run, task) for number, raw in enumerate(run.trajectory, 1))
    return Trajectory(
        case=Case(
            id=_slug(f"{run.task_id}-{run.instruction_condition or 'raw'}-r{max(0, run.run_id - 1)}"),
            suite=task.suite,
            task=run.task_id,
            repeat=max(0, run.run_id - 1),
            prompt=cast(Literal["raw", "hint", "explicit"] | None, _PROMPTS.get(run.instruction_condition.lower())),
        ),
        contender=Contender(agent=AGENT, model=run.model),
        provenance=Provenance(longtrail=longtrail.__version__, data=AGENT, task=AGENT),
        prompt=task.surface_instruction,
        steps=steps,
        ends=(_end(run),),
        trouble=_trouble(run),
    )


def address(step: dict[str, Any]) -> str:
    """The address at which a logged step was taken; empty if none was logged."""
    return str(step.get("current_url") or step.get("url_before") or "")


def act(step: dict[str, Any]) -> dict[str, Any]:
    """What a logged step did: `parsed_action`, `action` as a record, or the step itself."""
    for name in ("parsed_action", "action"):
        if isinstance(step.get(name), dict):
            return cast(dict[str, Any], step[name])
    return step


def thought(step: dict[str, Any]) -> str:
    """What the model thought at a step."""
    return str(step.get("thought") or act(step).get("thought") or "")


def _step(number: int, raw: dict[str, Any], run: PublishedRun, task: PathwaysTask) -> Step:
    done, text = act(raw), str(raw.get("page_content") or "")
    action = _action(done, run, task)
    return Step(
        number=number,
        phase="main",
        observation=Observation(
            url=address(raw), title=str(raw.get("page_title") or ""), text=text, form="text", truncated=True
        ),
        thought=thought(raw),
        action=action,
        raw="" if action else json.dumps(done, ensure_ascii=False)[:4_000],
        outcome=Outcome(ok=raw.get("success") is not False),
    )


def _action(done: dict[str, Any], run: PublishedRun, task: PathwaysTask) -> Action | None:
    """The corresponding action of ours; None if there is none (the text is kept in `raw`)."""
    name = str(done.get("action") or "").lower()
    if name == "decide":
        justification = str(done.get("reasoning") or run.reasoning or "")
        return Decide(
            decision=str(done.get("decision") or run.decision or "?")[:80], justification=justification[:20_000]
        )
    if name == "scroll":
        return Scroll(direction="up" if done.get("direction") == "up" else "down")
    if name == "goto" and done.get("page") == "order" and task.order.get("url"):
        return Goto(url=str(task.order["url"]))
    if name in ("goto", "goto_url") and str(done.get("url") or "").startswith("http"):
        return Goto(url=str(done["url"])[:4_000])
    return None


def _end(run: PublishedRun) -> End:
    if run.completed:
        return End(reason="decide", phase="main", detail=str(run.decision))
    limit = run.status.upper() in _STEP_LIMIT
    return End(reason="step_limit" if limit else "trouble", phase="main", detail=run.status)


def _trouble(run: PublishedRun) -> Trouble | None:
    if run.completed or run.status.upper() in _STEP_LIMIT:
        return None
    return Trouble(kind="harness_bug", message=f"the published harness says {run.status or 'nothing'}")


def _slug(text: str) -> str:
    return "".join(c if (c.isascii() and c.isalnum()) or c in "_." else "-" for c in text.lower()).strip("-_.") or "run"
