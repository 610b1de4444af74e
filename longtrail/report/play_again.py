"""Play again: the command that plays an episode's case again."""

import shlex

from longtrail.options.run_options import IDENTITY
from longtrail.records.case import Case
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import RELOCATED, length_name

OWN_TEST = "app"
"""The suite of cases that a test of the user's own may have made: only that test plays them again."""
SHORTEST = "0,25k"
"""Decision tasks get long histories only if some length is above 0."""


def play_again(case: Case, contender: Contender) -> str:
    """One line for a shell. It has what the case and its contender record; other options of the run, such as a model's
    address, are to be added. Empty for a case on the user's own app."""
    if case.suite == OWN_TEST:
        return ""
    words = ["pytest", "--task", case.task, "-k", case.id, "--agent", contender.agent]
    words += ["--model", contender.model] if contender.model else []
    words += ["--profile", contender.profile] if contender.profile != "default" else []
    for name, value in contender.options.items():
        told = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--model-arg" if name in IDENTITY else "--agent-arg", f"{name}={told}"]
    return shlex.join([*words, *_conditions(case)])


def _conditions(case: Case) -> list[str]:
    words = []
    if case.noise_tokens is not None:
        length = RELOCATED if case.relocated else length_name(case.noise_tokens)
        words += ["--lengths", SHORTEST if case.placement and not case.noise_tokens else length]
    words += ["--placement", case.placement] if case.placement else []
    words += ["--noise", case.noise] if case.noise != "orthogonal" else []
    words += ["--needle", case.needle] if case.needle != "first" else []
    words += ["--variant", str(case.variant)] if case.variant is not None else []
    return [*words, *(["--repeats", str(case.repeat + 1)] if case.repeat else [])]
