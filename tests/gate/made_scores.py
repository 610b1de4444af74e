"""Made: scores of runs with known outcomes, for tests of comparisons."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from longtrail.records.trajectory import Case, Contender, Provenance
from longtrail.runs.baseline import Scored, Scores
from longtrail.runs.manifest import Manifest

OUTCOMES = st.dictionaries(
    st.sampled_from([f"PW-{number:03}" for number in range(12)]),
    st.tuples(st.sampled_from([0.0, 0.4, 0.8, 1.0]), st.sampled_from([0.0, 0.5, 1.0])),
    min_size=1,
)
"""Outcomes of a few tasks before and after, for property tests."""

MINE = Contender(agent="my_agent:make", options={"care": "1"})
OPTIONS = {
    "observation": "axtree",
    "observation_tokens": 8000,
    "first_subtask": "agent",
    "stop_on_success": False,
    "noise_pool": None,
    "appeal_turns": 1,
    "seed": 0,
    "model_args": {},
}


def manifest(name: str = "run", **changes: Any) -> Manifest:
    """What a run was made with."""
    facts = {
        "name": name,
        "started": "2026-03-17T14:30:00+00:00",
        "longtrail": "0.1.0",
        "data": "0123456789ab",
        "python": "3.11.2",
        "system": "Linux x86_64",
        "tokenizer": "cl100k_base",
        "options": OPTIONS,
    }
    return Manifest.model_validate(facts | changes)


def provenance(**changes: Any) -> Provenance:
    """What a case was made with."""
    facts = {"longtrail": "0.1.0", "data": "0123456789ab", "task": "aaaaaaaaaaaa", "browser": "chromium 156"}
    return Provenance.model_validate(facts | {"step_limit": 25} | changes)


def decision(task: str, proven: float | None, repeat: int = 0, prompt: str = "raw", **more: Any) -> Scored:
    """A case of the shop; None: it is invalid."""
    appeal = more.pop("appeal", None)
    measured = {} if proven is None else {"proven": proven, "investigation": float(proven > 0), "decision": proven}
    return Scored(
        case=Case(
            id=f"{task.lower()}-{appeal or prompt}-r{repeat}",
            suite="shopping_admin",
            task=task,
            repeat=repeat,
            prompt=prompt,  # type: ignore[arg-type]
            appeal=appeal,
        ),
        outcome="invalid" if proven is None else "passed" if proven == 1 else "failed",
        reason="site_error: 500" if proven is None else f"proven is {proven:g}",
        values=measured | more.pop("values", {}),
        **more,
    )


def long(task: str, success: float | None, repeat: int = 0, length: int = 0, relocated: bool = False) -> Scored:
    """A case of the long-context suite; None: it is invalid."""
    name = "relocated" if relocated else f"{length // 1000}k" if length else "0"
    return Scored(
        case=Case(
            id=f"{task}-{name}-r{repeat}",
            suite="long_context",
            task=task,
            repeat=repeat,
            noise_tokens=length,
            relocated=relocated,
        ),
        outcome="invalid" if success is None else "passed" if success else "failed",
        reason="",
        values={} if success is None else {"success": success, "success_a2": success, "key_step_rate": success},
    )


def scores(cases: Sequence[Scored], name: str = "run", **changes: Any) -> Scores:
    """A finished run of these cases, all of them planned."""
    facts = changes.pop("manifest", {})
    planned = tuple(case.case.id for case in cases)
    return Scores(
        **{
            "manifest": manifest(name, **{"cases": planned} | facts),
            "contenders": (MINE,),
            "provenances": (provenance(),),
            "cases": tuple(cases),
        }
        | changes
    )


def shop(outcomes: Mapping[str, Sequence[float | None]], name: str = "run", **changes: Any) -> Scores:
    """Task -> proven in each repeat."""
    cases = [decision(task, value, repeat) for task, values in outcomes.items() for repeat, value in enumerate(values)]
    return scores(cases, name, **changes)
