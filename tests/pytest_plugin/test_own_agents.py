"""Agents of users: the ways to evaluate them, shown by the shipped examples; each is played if it is installed."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import jsonschema
import pytest

from examples.scripted_frameworks import answer
from longtrail.commands.servers import schema
from longtrail.llm.mock.server import MockServer
from longtrail.records.action import Decide
from longtrail.records.trajectory import Trajectory
from longtrail.runs.store import Run
from tests.pytest_plugin.laboratory import CASES, Laboratory
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

EXAMPLES = ROOT / "examples"
CASE = CASES["PW-025"]


def decided(episode: Trajectory) -> None:
    """It acted on served pages, and its decision has reasons (unless it ran out of steps)."""
    assert episode.ends[-1].reason in ("decide", "step_limit")
    assert any(step.outcome.ok and step.action is not None for step in episode.steps)
    last = episode.steps[-1]
    if last.action is not None and last.action.type == "decide":
        assert last.action.justification
    visited = [url for step in episode.steps for url in step.outcome.navigations]
    served = {request.url for step in episode.steps for request in step.requests if request.dest == "document"}
    assert set(visited) <= served


def test_a_python_object(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(EXAMPLES / "python_agent")
    monkeypatch.delitem(sys.modules, "my_agent", raising=False)
    episode = laboratory.play(CASE, "my_agent:make")
    monkeypatch.delitem(sys.modules, "my_agent")
    decided(episode)
    assert "words with the task" in episode.steps[0].thought


@pytest.fixture
def node_agent() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ["node", str(EXAMPLES / "node_agent" / "agent.mjs"), str(port)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


def test_a_server_in_another_language(laboratory: Laboratory, node_agent: str) -> None:
    episode = laboratory.play(CASE, node_agent)
    decided(episode)
    assert "fits the task" in episode.steps[0].thought


def test_an_agent_that_drives_the_browser_itself(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example's program, which calls the example's Python function."""
    monkeypatch.setenv("PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(EXAMPLES / "cdp_agent"), str(ROOT))))
    episode = laboratory.play(CASE, f"cdp:{EXAMPLES / 'cdp_agent' / 'program.sh'}", shots=True)
    decided(episode)
    assert all(step.observation.text for step in episode.steps)
    assert episode.steps[-1].thought.startswith("I read ")
    assert {step.observation.screenshot for step in episode.steps} - {None} <= set(laboratory.shots)
    assert any(step.observation.screenshot for step in episode.steps)
    assert episode.usage.usd is None


MODEL = "openai/scripted-careful"
BROWSER_USE = os.environ.get("LONGTRAIL_BROWSER_USE", "")
"""A Python that has browser-use: it needs other versions of some packages, so it has an environment of its own."""


@pytest.mark.skipif(not BROWSER_USE, reason="LONGTRAIL_BROWSER_USE names no Python with the package browser-use")
def test_browser_use_unchanged(tmp_path: Path) -> None:
    """The real package: it follows links on the sealed web, and its decision, reasons and tokens are recorded."""
    path = os.pathsep.join((str(EXAMPLES / "browser_use"), str(ROOT)))
    with MockServer(answer=answer) as server:
        done = run_pytest(
            *("--agent", f"cdp:{BROWSER_USE} -m longtrail.agents.cdp agent:solve", "--model", MODEL),
            *("--agent-arg", f"base_url={server.url}", "--model-arg", f"api_base={server.url}", "--no-shots"),
            *("-m", "raw and not appeal", "--task", "pw-025", f"--reports={tmp_path}", "--run", "mine"),
            env=environment(PYTHONPATH=path, OPENAI_API_KEY="none"),
        )
    assert done.code in (0, 1), done.said[-3000:]
    (episode,) = Run.open(tmp_path / "runs" / "mine").episodes()
    assert episode.valid, episode.trouble
    decided(episode)
    decided_with_evidence(episode)
    assert episode.usage.calls == len(server.requests) >= 3
    assert episode.usage.prompt_tokens > 10_000
    assert episode.provenance.model_reported == "scripted-careful"


def test_the_schema_holds_for_what_is_sent_and_what_examples_answer(node_agent: str) -> None:
    import httpx

    from longtrail.agents.agent import Assignment
    from longtrail.agents.cdp.process import TaskMessage
    from longtrail.agents.remote import Remote
    from longtrail.browser.view import View
    from longtrail.records.observation import Observation
    from longtrail.records.trajectory import Outcome

    sent: list[tuple[str, dict[str, object]]] = []
    view = View(Observation(url="https://shopadmin.test/", text='[1] link "Order 5512 of the customer"'), b"\xff\xd8")
    assignment = Assignment(
        suite="shopping_admin",
        phase="main",
        prompt="Decide on order 5512.",
        actions=("click", "decide"),
        decisions=("APPROVE",),
        step_limit=3,
    )
    agent = Remote(node_agent, assignment, 10.0)
    post = httpx.Client.stream

    def keep(client: httpx.Client, method: str, url: str, *, json: dict[str, object]) -> object:
        sent.append((url.rpartition("/")[2], json))
        return post(client, method, url, json=json)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx.Client, "stream", keep)
        agent.act(view)
        agent.observe(Outcome(ok=True), view)
    forms = schema()
    for path, message in sent:
        name = {"act": "ActRequest", "observe": "ObserveRequest"}[path]
        jsonschema.validate(message, {**forms, "$ref": f"#/$defs/{name}"})
        answer = httpx.post(f"{node_agent}/{path}", json=message, trust_env=False).json()
        jsonschema.validate(answer, {**forms, "$ref": f"#/$defs/{name.replace('Request', 'Answer')}"})
    assert [path for path, _ in sent] == ["act", "observe"]
    errand = TaskMessage(prompt="p", cdp="http://127.0.0.1:1", step_limit=3, seconds=4.0)
    jsonschema.validate(errand.model_dump(mode="json"), {**forms, "$ref": "#/$defs/TaskMessage"})
    assert os.path.exists(ROOT / "docs" / "remote-agent.md")


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


def decided_with_evidence(episode: Trajectory) -> None:
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
    decided_with_evidence(laboratory.play(CASE, "my_agent:make"))


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
    decided_with_evidence(episode)
    assert episode.usage.calls == len(server.requests) == len(episode.steps)


@pytest.mark.skipif(not (MCP and shutil.which("node")), reason="PLAYWRIGHT_MCP names no cli.js of @playwright/mcp")
def test_playwright_mcp(laboratory: Laboratory) -> None:
    decided_with_evidence(laboratory.play(CASE, f"cdp:node {EXAMPLES / 'playwright_mcp' / 'agent.mjs'}"))


@pytest.mark.thorough
@pytest.mark.skipif(not (STAGEHAND and shutil.which("node")), reason="STAGEHAND names no folder with Stagehand in it")
def test_stagehand(laboratory: Laboratory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real package's agent: each of its model's calls is counted, and its evidence names the page's address."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with MockServer(answer=answer) as server:
        options = {"model": "scripted-careful", "base_url": server.url}
        episode = laboratory.play(CASE, f"cdp:node {EXAMPLES / 'stagehand' / 'agent.mjs'}", **options)
    decided_with_evidence(episode)
    assert episode.usage.calls == len(server.requests) >= 6
    assert episode.usage.prompt_tokens > 10_000
    last = episode.steps[-1].action
    assert isinstance(last, Decide)
    assert last.evidence[0].source == episode.steps[-1].observation.url
