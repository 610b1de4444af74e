"""Gate rules: the gate's settings, their command-line options, and the exit code of each verdict."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.errors import UsageError
from longtrail.records.record import Record

Verdict = Literal["IMPROVED", "PASS", "NO REGRESSION FOUND", "REGRESSION", "INVALID"]
EXIT: dict[Verdict, int] = {"IMPROVED": 0, "PASS": 0, "NO REGRESSION FOUND": 0, "REGRESSION": 1, "INVALID": 7}
"""Exit codes; 2 to 5 are pytest's own."""
NOT_SHOWN = 6
"""Exit code of a strict gate if a drop as large as the margin is not ruled out."""
INCOMPLETE = EXIT["INVALID"]
"""Exit code of a run that lacks planned cases or could not be written, with a gate or without."""


class GateRules(Record):
    """The gate's settings. They are fixed before the run."""

    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05
    """Probability of a false alarm, over all suites of the run together."""
    margin: Annotated[float, Field(gt=0, lt=1)] = 0.05
    """PASS needs high confidence that the drop is smaller than this (non-inferiority)."""
    strict: bool = False
    """Whether only PASS, and IMPROVED by a run that would also PASS, are green, as before a release."""
    sequential: bool = False
    """Whether the run is judged after each repeat, and ends as soon as another one would hardly change the verdict."""
    max_repeats: Annotated[int, Field(ge=2)] = 10
    """The most repeats of a sequential run."""
    subset: bool = False
    """Whether the baseline may have cases that the run did not plan."""
    variants: bool = False
    """Whether the baseline may have played another variant of the tasks."""
    invalid_limit: Annotated[float, Field(ge=0, le=1)] = 0.02
    """Share of invalid cases above which the verdict is INVALID."""

    replay_limit: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Share of cases played again after trouble above which the verdict is INVALID: an agent might end attempts on
    purpose, for example by killing its worker or its session, to get another one. Two cases are always allowed, as one
    interrupted session of a small run has them."""

    def too_many_replays(self, replayed: int, cases: int) -> bool:
        """Whether more cases were played again than allowed."""
        return replayed > max(2, self.replay_limit * cases)

    def exit_code(self, verdict: Verdict) -> int:
        """The process's exit code for a verdict."""
        return NOT_SHOWN if self.strict and verdict == "NO REGRESSION FOUND" else EXIT[verdict]


def session_gate(given: Any, runs: Path) -> dict[str, Any]:
    """The gate's options of a session. Raises UsageError for invalid ones."""
    if given.baseline is not None and given.shard:
        raise UsageError("--baseline: a single shard can't be gated; give --baseline to `longtrail merge`")
    if given.baseline is not None and (len(set(given.model)) > 1 or len(set(given.agent)) > 1):
        raise UsageError("--baseline: the gate compares one contender; give one --agent and one --model")
    if given.baseline is not None and "sequential" in given.gate and given.ray is not None:
        raise UsageError("--gate sequential: works without --ray only")
    return gate_options(given, runs)


def gate_options(given: Any, runs: Path) -> dict[str, Any]:
    """The gate's options, from flags that were checked (`flags.check`). `runs`: folder of runs that are given by name.
    Raises UsageError for invalid ones."""
    if given.baseline is None:
        return {}
    names = ("alpha", "margin", "max_repeats")
    rules = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    for name, high in (("alpha", 0.5), ("margin", 1.0)):
        if name in rules and not 0 < rules[name] < high:
            raise UsageError(f"--{name}: expected a number between 0 and {high:g}, got {rules[name]:g}")
    found = next((path for path in (given.baseline, runs / given.baseline) if path.exists()), None)
    if found is None:
        raise UsageError(f"--baseline: there is no file or run {given.baseline}")
    if given.max_repeats and "sequential" not in given.gate:
        raise UsageError("--max-repeats: needs --gate sequential")
    rules |= {kind: kind in given.gate for kind in ("strict", "sequential")}
    rules |= {"subset": given.baseline_subset, "variants": given.baseline_variant}
    return {
        "baseline": found.resolve(),
        "baseline_contender": given.baseline_contender,
        "rules": GateRules.model_validate(rules),
    }
