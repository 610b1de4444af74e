"""Examples for frameworks that are not installed with Longtrail: each is played if its package is installed."""

import importlib.util
import os
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest

from examples.scripted_frameworks import answer
from longtrail.llm.mock.server import MockServer
from longtrail.records.action import Decide
from longtrail.records.trajectory import Trajectory
from tests.pytest_plugin.laboratory import CASES, Laboratory
from tests.pytest_plugin.pytest_process import ROOT

CASE = CASES["PW-025"]
EXAMPLES = ROOT / "examples"
MCP = os.environ.get("PLAYWRIGHT_MCP", "")
"""cli.js of an installed @playwright/mcp."""
STAGEHAND = os.environ.get("STAGEHAND", "")
"""The folder where npm installed @browserbasehq/stagehand."""


def installed(package: str) -> bool:
    """Whether a package is installed; other packages may have a module of the same name."""
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def decided(episode: Trajectory) -> None:
    """It opened pages of the shop by clicks, and decided with evidence."""
    last = episode.steps[-1].action
    assert isinstance(last, Decide), last
    assert last.evidence
    assert any(step.action is not None and step.action.type == "click" for step in episode.steps)
    assert episode.ends[-1].reason == "decide"


@pytest.mark.skipif(importlib.util.find_spec("langgraph") is None, reason="the package langgraph is not installed")
def test_langgraph(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "langgraph"))
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    decided(laboratory.play(CASE, "my_agent:make"))


IN_PROCESS = {
    "openai_agents": ("openai-agents", {}),
    "smolagents": ("smolagents", {}),
    "pydantic_ai": ("pydantic-ai-slim", {}),
    "chat_clients-openai": ("openai", {"client": "openai"}),
    "chat_clients-anthropic": ("anthropic", {"client": "anthropic"}),
    "chat_clients-langchain": ("langchain-openai", {"client": "langchain"}),
}
"""Examples whose agent runs in our process: the package, and the options."""


@pytest.mark.parametrize("name", IN_PROCESS)
def test_an_agent_in_our_process(name: str, laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The scripted model names an action or calls the tool of that name; each call is a step."""
    package, options = IN_PROCESS[name]
    if not installed(package):
        pytest.skip(f"the package {package} is not installed")
    monkeypatch.syspath_prepend(str(EXAMPLES / name.partition("-")[0]))
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    with MockServer() as server:
        address = server.url.removesuffix("/v1") if "anthropic" in name else server.url
        chosen = {"model": "scripted-careful", "base_url": address, **options}
        episode = laboratory.play(CASE, "my_agent:make", **chosen)
    decided(episode)
    assert episode.usage.calls == len(server.requests) == len(episode.steps)


@pytest.mark.skipif(not (MCP and shutil.which("node")), reason="PLAYWRIGHT_MCP names no cli.js of @playwright/mcp")
def test_playwright_mcp(laboratory: Laboratory) -> None:
    decided(laboratory.play(CASE, f"cdp:node {EXAMPLES / 'playwright_mcp' / 'agent.mjs'}"))


@pytest.mark.thorough
@pytest.mark.skipif(not (STAGEHAND and shutil.which("node")), reason="STAGEHAND names no folder with Stagehand in it")
def test_stagehand(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real package's agent: each of its model's calls is counted, and its evidence names the page's address."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with MockServer(answer=answer) as server:
        options = {"model": "scripted-careful", "base_url": server.url}
        episode = laboratory.play(CASE, f"cdp:node {EXAMPLES / 'stagehand' / 'agent.mjs'}", **options)
    decided(episode)
    assert episode.usage.calls == len(server.requests) >= 6
    assert episode.usage.prompt_tokens > 10_000
    last = episode.steps[-1].action
    assert isinstance(last, Decide)
    assert last.evidence[0].source == episode.steps[-1].observation.url
