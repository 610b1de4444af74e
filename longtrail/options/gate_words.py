"""Gate options: checks the gate's command-line options of a session and of `longtrail merge`."""

from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.options.gate_rules import GateRules

GATE = (
    "--baseline",
    "--baseline-contender",
    "--baseline-subset",
    "--baseline-variant",
    "--alpha",
    "--margin",
    "--gate",
)
"""The flags."""


def session_gate(given: Any, runs: Path) -> dict[str, Any]:
    """The gate's options of a session. Raises UsageError for invalid ones."""
    if given.baseline is not None and given.shard:
        raise UsageError("--baseline: a single shard can't be gated; give --baseline to `longtrail merge`")
    if given.baseline is not None and (len(set(given.model)) > 1 or len(set(given.agent)) > 1):
        raise UsageError("--baseline: the gate compares one contender; give one --agent and one --model")
    return gate_options(given, runs)


def gate_options(given: Any, runs: Path) -> dict[str, Any]:
    """The gate's options (the flags of `GATE`); `runs`: folder of runs that are given by name.

    Raises UsageError for invalid ones.
    """
    asked = {name: getattr(given, name) for name in ("alpha", "margin", "gate", "baseline_contender")}
    rules = {name: asked[name] for name in ("alpha", "margin") if asked[name] is not None}
    if given.baseline is None:
        for name, value in asked.items():
            if value:
                raise UsageError(f"--{name.replace('_', '-')}: needs --baseline")
        if given.baseline_variant:
            raise UsageError("--baseline-variant: needs --baseline")
        return {}
    for name, high in (("alpha", 0.5), ("margin", 1.0)):
        if name in rules and not 0 < rules[name] < high:
            raise UsageError(f"--{name}: expected a number between 0 and {high:g}, got {rules[name]:g}")
    found = next((path for path in (given.baseline, runs / given.baseline) if path.exists()), None)
    if found is None:
        raise UsageError(f"--baseline: there is no file or run {given.baseline}")
    rules |= {"strict": given.gate == "strict", "subset": given.baseline_subset, "variants": given.baseline_variant}
    return {
        "baseline": found.resolve(),
        "baseline_contender": given.baseline_contender,
        "rules": GateRules.model_validate(rules),
    }
