"""The catalogue of measures: collects them from the modules that compute them. The scorer checks values against it.

`paper_` measures follow a paper exactly; the measures without that prefix can't be gamed without doing the work.
"""

from collections.abc import Iterable

from longtrail.records.trajectory import Suite
from longtrail.scoring import (
    accessibility,
    app_tasks,
    appeals,
    cause,
    decision,
    error_category,
    hallucination,
    long_context,
    paper_reasoning,
    path,
    reasoning,
    retrieval,
    rubric,
    twin_pairs,
)
from longtrail.scoring.decision_measures import decision_measures
from longtrail.scoring.measure import Measure
from longtrail.scoring.shifts import shift

LONG_CONTEXT_MODULES = (long_context, error_category, retrieval)
OTHER_MODULES = (rubric, shift, cause, app_tasks, accessibility)
DECISION_MODULES = (decision, twin_pairs, path, reasoning, paper_reasoning, hallucination, appeals)
MEASURES: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        *(
            measure
            for module in (*LONG_CONTEXT_MODULES, *DECISION_MODULES, *OTHER_MODULES)
            for measure in module.MEASURES
        ),
        *(module.MEASURE for module in decision_measures()),
    )
}
"""Every measure by name, in the order of reports; those with a separate module last."""

PRIMARY: dict[Suite, str] = {
    "long_context": "success",
    "discovered": "success",
    "shopping_admin": "proven",
    "reddit": "proven",
    "hard_shop": "proven",
    "hard_forum": "proven",
    "shift_shop": "tickets_proven",
    "shift_forum": "tickets_proven",
    "app": "success",
}
"""The primary endpoint of each suite; everything else is secondary."""


def table(suite: Suite) -> str:
    """The measures of a suite as the Markdown table of docs/metrics.md."""
    measures = [measure for measure in MEASURES.values() if suite in measure.suites]
    return "\n".join(("| measure | kind | formula | source |", "|---|---|---|---|", *_rows(measures)))


def _rows(measures: Iterable[Measure]) -> Iterable[str]:
    return (f"| `{m.name}` | {m.bounds} | {m.says} | {m.source} |" for m in measures)


if __name__ == "__main__":
    print(table("long_context"), table("hard_shop"), table("shift_shop"), sep="\n\n")
