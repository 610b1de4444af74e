"""Faults that pass, at any rate, don't change the answers of a model."""

import random

import pytest

from longtrail.llm.client import Message
from tests.llm.bench import Bench

PASSING = ("rate_limit=1", "server_error=503", "server_error=529", "reset", "html", "no_choices", "truncated_json")


@pytest.mark.parametrize("rate", [pytest.param(0.1, marks=pytest.mark.slow), 0.3])
def test_faults_on_the_way_change_no_answer(bench: Bench, rate: float) -> None:
    """Forty prompts, a share of them with one or two faults each: the answers are those without faults."""
    chance, asked = random.Random(7), 0
    for number in range(40):
        prompt = (Message(role="user", text=f"Find the page about parcel {number:05d}, then read it."),)
        fault = f"@{chance.choice(PASSING)}:{chance.choice((1, 2))}" if chance.random() < rate else ""
        spoilt, clean = bench.ask(f"scripted-careful{fault}", prompt), bench.ask("scripted-careful", prompt)
        changing = {"seconds", "model"}
        assert spoilt.model_dump(exclude=changing) == clean.model_dump(exclude=changing), fault
        asked += bool(fault)
    assert asked >= 40 * rate / 2
