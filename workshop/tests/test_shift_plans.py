"""The shipped plans of shifts are those of the generator."""

import pytest

from longtrail.tasks.shifts.families import SHIFTS
from longtrail.tasks.shifts.plans import DOMAINS
from longtrail.tasks.shifts.shift import SIZES, Domain
from longtrail.yaml_file import read_yaml
from workshop.shift_plans import as_yaml, shipped


@pytest.mark.parametrize("domain", DOMAINS)
def test_the_shipped_plans_are_those_of_the_generator(domain: Domain) -> None:
    """If it fails, write the output of `python -m workshop.shift_plans DOMAIN` to shifts.yaml."""
    text = (SHIFTS / domain / "shifts.yaml").read_text(encoding="utf-8")
    assert all(as_yaml(task) in text for task in shipped(domain))
    assert len(read_yaml(SHIFTS / domain / "shifts.yaml")) == 12 * len(SIZES)
