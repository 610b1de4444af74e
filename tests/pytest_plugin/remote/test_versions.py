"""All machines of a run must have the same versions; a difference is reported in one line."""

import pytest

from longtrail.pytest_plugin.remote.setup import CHROMIUM, chromium, refusal, versions

HERE = {"Longtrail": "1.0", "code": "abc", "data": "def", CHROMIUM: "Chromium 150"}


def test_the_same_versions_are_no_reason() -> None:
    assert refusal("n", HERE, dict(HERE)) == ""


@pytest.mark.parametrize("name", ["Longtrail", "code", "data", CHROMIUM])
def test_another_version_is_named(name: str) -> None:
    told = refusal("10.0.0.7", HERE, {**HERE, name: "other"})
    assert told == f"node 10.0.0.7: {name} is other there and {HERE[name]} here; all must be alike"


def test_packages_that_change_results_are_compared() -> None:
    assert {"litellm", "playwright", "tokenizer"} <= set(versions())


def test_a_node_without_a_browser_is_told() -> None:
    assert "no Chromium was found there" in refusal("n", HERE, {**HERE, CHROMIUM: ""})


def test_this_machine_is_like_itself() -> None:
    here = {**versions(), CHROMIUM: chromium()}
    assert here[CHROMIUM]
    assert refusal("here", here, {**versions(), CHROMIUM: chromium()}) == ""
