"""Examples for frameworks that are not installed with Longtrail: each is played where its package is."""

import importlib.util
import os
import shutil

import pytest

from longtrail.records.action import Decide
from longtrail.records.trajectory import Trajectory
from tests.pytest_plugin.laboratory import CASES, Laboratory
from tests.pytest_plugin.pytest_process import ROOT

CASE = CASES["PW-025"]
EXAMPLES = ROOT / "examples"
MCP = os.environ.get("PLAYWRIGHT_MCP", "")
"""cli.js of an installed @playwright/mcp."""


def decided(episode: Trajectory) -> None:
    """It looked at pages of the shop by clicks, and decided with what it saw there."""
    last = episode.steps[-1].action
    assert isinstance(last, Decide), last
    assert last.evidence
    assert any(step.action is not None and step.action.type == "click" for step in episode.steps)
    assert episode.ends[-1].reason == "decide"


@pytest.mark.skipif(importlib.util.find_spec("langgraph") is None, reason="the package langgraph is not installed")
def test_langgraph(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "langgraph"))
    monkeypatch.delitem(__import__("sys").modules, "my_agent", raising=False)
    decided(laboratory.play(CASE, "my_agent:make"))


@pytest.mark.skipif(not (MCP and shutil.which("node")), reason="PLAYWRIGHT_MCP names no cli.js of @playwright/mcp")
def test_playwright_mcp(laboratory: Laboratory) -> None:
    decided(laboratory.play(CASE, f"cdp:node {EXAMPLES / 'playwright_mcp' / 'agent.mjs'}"))
