"""Compatibility: why two runs can't be compared, one line per reason. Only what is meant to change may differ."""

from collections.abc import Iterable
from typing import Any

from longtrail.gate.pairing import ContenderCases, condition
from longtrail.options.flag_values import fields
from longtrail.options.value_forms import without_addresses
from longtrail.records.trajectory import Contender
from longtrail.runs.manifest import Manifest, unsaid

CASE_PROPERTIES = {"data": "data version", "task": "task entry (checksum)", "step_limit": "step limit", "web": "web"}
CASE_PROPERTIES |= {"actions": "actions of the agent"}
"""The properties of a case that must agree by task and condition."""
Cell = tuple[str, str, str]
"""Suite, task and condition."""


def of_runs(before: Manifest, after: Manifest, *, variants: bool = False) -> list[str]:
    """Differences in how the runs were made. Works before the first case is played. `variants`: they may have played
    different variants of the tasks."""
    conflicts = [
        _difference(says, getattr(before, name), getattr(after, name))
        for name, says in (("data", "data version"), ("longtrail", "version of Longtrail"), ("tokenizer", "tokenizer"))
        if getattr(before, name) != getattr(after, name)
    ]
    for name, option in fields("measured").items():
        old, new = (run.options.get(name, unsaid(name)) for run in (before, after))
        if name == "variant" and variants:
            continue
        if old != new and name != "model_args":  # `of_models` compares the model's arguments
            conflicts.append(_difference(option, old, new))
    return conflicts


def of_contenders(before: Contender, after: Contender) -> list[str]:
    """Differences between two contenders. The code of the user's own agent is not compared: it may change."""
    names = {"agent": "agent", "model": "model", "prompts": "agent's prompts (checksum)", "profile": "profile"}
    names |= {"vision": "vision", "options": "agent's options"}
    return [
        _difference(says, getattr(before, name), getattr(after, name))
        for name, says in names.items()
        if getattr(before, name) != getattr(after, name)
    ]


def of_models(before: Manifest, after: Manifest) -> list[str]:
    """Differences in the model's call arguments, except addresses."""
    old, new = (without_addresses("model_args", run.options.get("model_args") or {}) for run in (before, after))
    return [_difference("--model-arg", old, new)] if old != new else []


def of_cases(before: ContenderCases, after: ContenderCases, *, subset: bool, variants: bool = False) -> list[str]:
    """Differences between the cases: tasks and conditions, task entries, limits and web. `variants`: they may be of
    different variants, so the entries differ."""
    old, new = _properties(before), _properties(after)
    conflicts = []
    if extra := sorted(new.keys() - old.keys()):
        conflicts.append(f"the baseline lacks {_cells(extra)}")
    if not subset and (gone := sorted(old.keys() - new.keys())):
        conflicts.append(
            f"this run has no cases of {_cells(gone)} of the baseline (to allow this, give --baseline-subset)"
        )
    seeds = [side.scores.manifest.options.get("variant") for side in (before, after)]
    for name, says in CASE_PROPERTIES.items():
        if name == "task" and variants and seeds[0] != seeds[1]:
            continue
        wrong = sorted(cell for cell in old.keys() & new.keys() if old[cell][name] != new[cell][name])
        if wrong:
            first = wrong[0]
            example = f"{_difference(says, *(_listed(side[first][name]) for side in (old, new)))} in {' '.join(first)}"
            conflicts.append(f"{example}; the same for {_cells(wrong)}" if len(wrong) > 1 else example)
    return conflicts


def of_models_reported(before: ContenderCases, after: ContenderCases) -> list[str]:
    """Differences in the models that servers reported: an alias may lead to another model than before."""
    old, new = ({side.provenance(scored).model_reported for scored in side.cases} - {""} for side in (before, after))
    return (
        [_difference("model that the server reported", _listed(old), _listed(new))]
        if old != new and old and new
        else []
    )


def notes(before: ContenderCases, after: ContenderCases) -> list[str]:
    """Differences that rarely change an outcome: browser, Python, system."""
    old, new = ({side.provenance(scored).browser for scored in side.cases} - {""} for side in (before, after))
    lines = [_difference("browser", _listed(old), _listed(new))] if old != new else []
    for name in ("python", "system"):
        values = [getattr(side.scores.manifest, name) for side in (before, after)]
        if values[0] != values[1]:
            lines.append(_difference(name, *values))
    return lines


def _properties(side: ContenderCases) -> dict[Cell, dict[str, set[Any]]]:
    facts: dict[Cell, dict[str, set[Any]]] = {}
    lost = set(side.scores.lost)
    for scored in side.cases:
        if scored.case.id in lost:  # its provenance is unknown
            continue
        made = side.provenance(scored)
        cell = facts.setdefault((scored.case.suite, scored.case.task, condition(scored.case)), {})
        for name in CASE_PROPERTIES:
            cell.setdefault(name, set()).add(getattr(made, name))
    return facts


def _cells(cells: list[Cell]) -> str:
    return f"{len(cells)} pairs of task and condition, e.g. {' '.join(cells[-1])}"


def _difference(name: str, old: object, new: object) -> str:
    return f"{name}: {_shown(old)} in the baseline, {_shown(new)} in this run"


def _shown(value: object) -> str:
    return "nothing" if value in (None, "", {}) else str(value)


def _listed(values: Iterable[object]) -> str:
    return " and ".join(sorted(map(str, values)))
