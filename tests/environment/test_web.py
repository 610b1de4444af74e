"""Training goes through many variants, so a process lets go of earlier ones."""

import gc
import weakref

import pytest

from longtrail.checks.hosts import host_of
from longtrail.environment.cases import suite_cases
from longtrail.environment.episode import shared_web
from longtrail.variants.variant import variant


@pytest.mark.thorough
def test_earlier_variants_are_let_go() -> None:
    first = weakref.ref(variant(100_001))
    for seed in range(100_001, 100_005):
        planned = next(iter(suite_cases("shopping_admin", variant=seed).values()))
        shared_web(seed).web.prepare(host_of(planned.task.start))
    gc.collect()
    assert first() is None
