"""The reference solutions in a variant, played by the oracle in a real browser: they get the full score there, too.

CI plays a twelfth of them, `--all` every one. Other seeds are played at night (docs/variants.md).
"""

from collections.abc import Iterator

import pytest

from longtrail.agents import oracle
from longtrail.agents.spec import ORACLE
from longtrail.scoring.score import score
from longtrail.tasks.cases import Conditions, plan
from longtrail.variants import shipped_tasks
from tests.pytest_plugin.laboratory import CASES, Laboratory, opened
from tests.pytest_plugin.test_every_task import MAXIMAL, mixed

SEED = 1


@pytest.fixture(scope="module")
def varied() -> Iterator[Laboratory]:
    with opened(SEED) as laboratory:
        yield laboratory


@pytest.mark.slow
@pytest.mark.sampled(12, ci=48)
@pytest.mark.parametrize("task", mixed(CASES))
def test_the_oracle_scores_full_marks_in_a_variant(task: str, varied: Laboratory) -> None:
    conditions = Conditions(lengths=(0,), relocated=False, prompts=("raw",), variant=SEED)
    (planned,) = plan({task: shipped_tasks(SEED)[task]}, conditions)
    assert f"-v{SEED}-" in planned.case.id
    result = score(planned.task, varied.play(planned, ORACLE, shots=oracle.needs_screenshots(planned.task)))
    assert result.outcome == "passed", result.reason
    for name in MAXIMAL[result.case.suite]:
        assert result.number(name) == 1.0, f"{name}: {result.metrics[name].reason}"
