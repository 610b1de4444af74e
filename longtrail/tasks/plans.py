"""Plans: the guidance of the condition `explicit`. It depends on the kind of a case alone, never on its outcome."""

from collections.abc import Mapping
from functools import cache

from longtrail.errors import DataError
from longtrail.paths import DATA
from longtrail.tasks.task import DecisionTask
from longtrail.yaml_file import read_yaml

PLANS = DATA / "prompts" / "plans.yaml"


@cache
def _plans() -> Mapping[str, Mapping[str, str]]:
    """Suite -> kind of case -> plan."""
    return {
        suite: {kind.strip(): plan for kinds, plan in plans.items() for kind in kinds.split(",")}
        for suite, plans in read_yaml(PLANS).items()
    }


def kind_of(task: DecisionTask) -> str:
    """The kind of case that a task is, by which its plan is chosen."""
    given = task.policy.get("given", {})
    if task.suite == "shopping_admin":
        return str(given.get("claim"))
    if task.suite == "hard_shop":
        return task.category
    return "claim with a picture" if given.get("picture") else str(given.get("matter"))


def plan_for(task: DecisionTask) -> str:
    """Where to look in a task, and what to do with each thing that may be there. Raises DataError if there is no plan
    for its kind of case."""
    plans, kind = _plans()[task.suite], kind_of(task)
    if kind not in plans:
        raise DataError(PLANS, f"{task.suite}.{kind}", f"no plan for {task.id}; there are plans for {', '.join(plans)}")
    return plans[kind]
