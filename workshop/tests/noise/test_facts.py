"""What the noise says about pages stands on them."""

import pytest

from longtrail.noise.pool import shipped_pool, tickets
from longtrail.records.memory import MemoryStep, PastTask
from workshop.noise.facts import check_facts

SHARE = 0.98
"""Minimum share of figures and quotations. (Carts and sent forms can't be asked for again, so not all are found.)"""


@pytest.mark.thorough
def test_figures_and_quotations_stand_on_the_pages_that_were_read() -> None:
    found = check_facts([*shipped_pool().trajectories[::10], *tickets()[::20]])
    assert found.told > 2_000
    assert 1 - len(found.stray) / found.told >= SHARE, found.stray


def test_a_figure_that_no_page_has_is_found() -> None:
    entry = next(noise for noise in shipped_pool().trajectories if noise.id == "rug_walkable_on_both_sides")
    step = entry.episode.steps[0].model_copy(update={"thought": 'It is "a rug for kings" for $98,765.00.'})
    assert isinstance(step, MemoryStep)
    wrong = entry.model_copy(update={"episode": PastTask(instruction="Find a rug.", steps=(step,))})
    found = check_facts([wrong])
    assert [words for _, _, words in found.stray][:2] == ["$98,765.00", '"a rug for kings"']
