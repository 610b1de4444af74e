"""Arms: the two sides of a comparison or a gate, and the pages that list the cases behind their figures."""

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
    """Path of the run's pages, relative to the page that shows the figures; None: there are none."""

    def figure(self, suite: Suite, one: EndpointFinding) -> str:
        """Address of the cases behind an endpoint's figure; empty if unknown."""
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
    """The sides of a run's gate, with paths relative to the reports folder, or to the run's folder (`inside`); None
    without a gate. A baseline whose run is missing has no path."""
    if view.gate is None:
        return None
    base = arm_of(view.gate.before)
    known = base.run != "" and (view.folder.parent / base.run / "run.json").is_file()
    above = "../../" if inside else ""
    return (
        arm_of(view.gate.before, f"{above}{run_folder(base.run)}" if known else None),
        arm_of(view.gate.after, "" if inside else run_folder(view.name)),
    )
