"""Arms: the two sides of a comparison or a gate, and where the cases behind their figures are listed."""

from dataclasses import dataclass

from longtrail.gate.findings import CaseChange, EndpointFinding
from longtrail.gate.pairing import PASSED
from longtrail.records.trajectory import Suite
from longtrail.report.addresses import case_list, run_folder
from longtrail.site.view import RunView
from longtrail.tasks.cases import slug


@dataclass(frozen=True, slots=True)
class Arm:
    """One side: a contender in a run."""

    run: str
    label: str
    at: str | None = None
    """Where the run's pages are, seen from the page that shows the figures; None: there are none."""

    def figure(self, suite: Suite, one: EndpointFinding) -> str:
        """Address of the cases behind an endpoint's figure; empty where it is not known."""
        measure = "" if one.measure == PASSED else one.measure
        return self._cases(suite, measure, one.conditions) if one.conditions else ""

    def task(self, suite: Suite, one: EndpointFinding) -> str:
        """Address of the cases behind one task's figure."""
        return self._cases(suite, one.measure, one.conditions, one.endpoint) if one.conditions else ""

    def change(self, suite: Suite, one: CaseChange) -> str:
        """Address of the cases of a task under a condition."""
        return self._cases(suite, "", (one.condition,), one.task)

    def _cases(self, suite: Suite, measure: str, conditions: tuple[str, ...], task: str = "") -> str:
        if self.at is None:
            return ""
        where = {"condition": ",".join(conditions), "task": task}
        return case_list(self.at, suite, slug(self.label), measure, group="", **where)


def arm_of(said: str, at: str | None = None) -> Arm:
    """From `RUN (LABEL)`, as gates and comparisons name their sides."""
    run, _, label = said.removesuffix(")").partition(" (")
    return Arm(run, label, at)


def gate_arms(view: RunView, *, inside: bool = False) -> tuple[Arm, Arm] | None:
    """The sides of a run's gate, seen from the reports folder, or from the run's own (`inside`); None without one.
    A baseline whose run is not there has no place."""
    if view.gate is None:
        return None
    base = arm_of(view.gate.before)
    known = base.run != "" and (view.folder.parent / base.run / "run.json").is_file()
    above = "../../" if inside else ""
    return (
        arm_of(view.gate.before, f"{above}{run_folder(base.run)}" if known else None),
        arm_of(view.gate.after, "" if inside else run_folder(view.name)),
    )
