"""Other people's agents and model clients, each in an environment of its own with its newest version: does the example
play a case, and what becomes of a case whose model server fails?

    python -m benchmarks.client_matrix [CLIENT ...] [--folder build/clients]

Without names, all are tried and the table in `docs/clients.md` is written anew; with names, their rows are printed.
A scripted model answers on loopback. Needs the package indexes of Python and npm, Node, and a Chromium. Exits with 1 if
a client does not play.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from examples.scripted_frameworks import answer
from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer
from longtrail.records.trajectory import Trajectory
from longtrail.runs.store import Run

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "clients.md"
CASE = ("benchmark_tests/test_pathways.py", "--task", "pw-025", "-m", "raw and not appeal", "--no-shots", "-q")
MODEL = "scripted-careful"
COLUMNS = (
    "| client | version | connects as | plays a case | its model's server answers HTTP 503 |\n|---|---|---|---|---|\n"
)
CALLED_BY_IT = ("--agent-arg", f"model={MODEL}", "--agent-arg", "base_url={url}")
BROWSER_USE = "cdp:{python} -m longtrail.agents.cdp agent:solve"


class Failed(Exception):
    """A command that did not end as it should, with the end of its output."""


@dataclass(frozen=True)
class Client:
    """A client and how it is connected. In the texts, `{python}`, `{folder}`, `{url}` are its own."""

    package: str
    """What is installed; the version of its name without extras is told."""
    kind: str
    """`Python object`, `model`, `CDP` ...: README's table of agents."""
    arguments: tuple[str, ...]
    """The agent, as pytest's arguments."""
    example: str = ""
    """The folder that is importable; for programs of Node their script stands in `arguments`."""
    more: tuple[str, ...] = ()
    """Other packages that are needed."""
    beside: bool = True
    """Longtrail is installed in the same environment and starts the run there; otherwise it stays in its own."""
    environment: Mapping[str, str] = field(default_factory=dict)
    calls_model: bool = True


def own(package: str, example: str, *options: str, more: tuple[str, ...] = (), calls_model: bool = True) -> Client:
    """An agent in our process."""
    arguments = ("--agent", "my_agent:make", *(CALLED_BY_IT if calls_model else ()), *options)
    return Client(package, "Python object", arguments, example, more, calls_model=calls_model)


def node(
    package: str, script: str, variable: str, *options: str, value: str = "{folder}", calls: bool = True
) -> Client:
    """A program for Node that drives the browser."""
    arguments = ("--agent", f"cdp:node {ROOT}/examples/{script}", *(CALLED_BY_IT if calls else ()), *options)
    more = ("zod",) if calls else ()
    return Client(package, "CDP", arguments, more=more, beside=False, environment={variable: value}, calls_model=calls)


CLIENTS = {
    "litellm": Client(
        "litellm",
        "model",
        ("--model", f"openai/{MODEL}", *(f"--model-arg={each}" for each in ("api_base={url}", "retries=0"))),
    ),
    "openai": own("openai", "chat_clients", "--agent-arg", "client=openai"),
    "anthropic": own("anthropic", "chat_clients", "--agent-arg", "client=anthropic"),
    "LangChain": own("langchain-openai", "chat_clients", "--agent-arg", "client=langchain"),
    "LangGraph": own("langgraph", "langgraph", calls_model=False),
    "OpenAI Agents SDK": own("openai-agents", "openai_agents"),
    "smolagents": own("smolagents[openai]", "smolagents"),
    "Pydantic AI": own("pydantic-ai-slim[openai]", "pydantic_ai"),
    "BrowserGym": Client(
        "browsergym-core>=0.14",  # older ones do not pin Playwright, so pip would prefer them
        "BrowserGym agent",
        ("--agent", "browsergym:tests.gym.demo_agent:DemoAgentArgs"),
        more=("gymnasium>=1.0,<2",),
        environment={"OPENAI_BASE_URL": "{url}"},
    ),
    "browser-use": Client("browser-use", "CDP", ("--agent", BROWSER_USE, *CALLED_BY_IT), "browser_use", beside=False),
    "Stagehand": node("@browserbasehq/stagehand@3", "stagehand/agent.mjs", "STAGEHAND"),
    "Playwright MCP": node(
        "@playwright/mcp",
        "playwright_mcp/agent.mjs",
        "PLAYWRIGHT_MCP",
        value="{folder}/node_modules/@playwright/mcp/cli.js",
        calls=False,
    ),
}


class Installed:
    """A client in its own folder."""

    def __init__(self, client: Client, folder: Path) -> None:
        self.client, self.folder, self.npm = client, folder, "mjs" in " ".join(client.arguments)
        self.python = folder / "bin" / "python"

    def install(self) -> None:
        """The newest version that its name allows."""
        client = self.client
        if self.npm:
            self.folder.mkdir(parents=True, exist_ok=True)
            run(
                [
                    "npm",
                    "install",
                    "--silent",
                    "--no-audit",
                    "--no-fund",
                    "--ignore-scripts",
                    client.package,
                    *client.more,
                ],
                self.folder,
            )
            return
        if not self.python.exists():
            run([sys.executable, "-m", "venv", str(self.folder)])
        ours = ["--editable", str(ROOT)] if client.beside else []
        uv = shutil.which("uv")
        pip = [uv, "pip", "install", "--python", str(self.python)] if uv else [str(self.python), "-m", "pip", "install"]
        run([*pip, "--quiet", "--upgrade", client.package, *client.more, *ours])

    def version(self) -> str:
        """The installed version."""
        name = re.sub(r"\[.*\]|[<>=].*|(?<=.)@[\d.]+$", "", self.client.package)
        if self.npm:
            manifest = self.folder / "node_modules" / name / "package.json"
            return str(json.loads(manifest.read_text("utf-8"))["version"])
        code = f"from importlib.metadata import version; print(version({name!r}))"
        return run([str(self.python), "-c", code]).strip()

    def play(self, *faults: Fault) -> Trajectory:
        """The case, with a server that has these faults. Raises Failed if there is no episode."""
        client = self.client
        with tempfile.TemporaryDirectory() as reports, MockServer(faults=faults, answer=answer) as server:
            url = server.url.removesuffix("/v1") if client.package == "anthropic" else server.url
            own = {"python": self.python, "folder": self.folder, "url": url}
            arguments = [argument.format(**own) for argument in client.arguments]
            path = os.pathsep.join((str(ROOT / "examples" / client.example), str(ROOT)))
            keys = dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY"), "none")
            variables = {name: value.format(**own) for name, value in client.environment.items()}
            python = str(self.python) if client.beside else sys.executable
            command = [python, "-m", "pytest", *CASE, *arguments, f"--reports={reports}", "--run", "it"]
            environment = {**os.environ, "PYTHONPATH": path, **keys, **variables}
            said = run(command, ROOT, environment, codes=(0, 1))
            episodes = list(Run.open(Path(reports) / "runs" / "it").episodes())
        if not episodes:
            raise Failed(f"no episode was played\n{said[-3000:]}")
        return episodes[-1]


def run(
    command: list[str], folder: Path = ROOT, env: Mapping[str, str] | None = None, codes: tuple[int, ...] = (0,)
) -> str:
    """A command's output. Raises Failed if it ends with another code."""
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr


def played(episode: Trajectory) -> str:
    """How the case went, in words; begins with `no` if the client did not decide after at least one click."""
    clicks = sum(step.action is not None and step.action.type == "click" for step in episode.steps)
    if episode.trouble or episode.ends[-1].reason != "decide" or not clicks:
        return f"no: {ending(episode)}, {clicks} clicks"
    calls = f", {episode.usage.calls} model calls" if episode.usage.calls else ""
    return f"yes: {len(episode.steps)} steps{calls}"


def ending(episode: Trajectory) -> str:
    """`invalid (llm_server)` or `failed (agent_error)`."""
    return f"invalid ({episode.trouble.kind})" if episode.trouble else f"failed ({episode.ends[-1].reason})"


def row(name: str, folder: Path) -> str:
    """A client's row, measured now."""
    client = CLIENTS[name]
    installed = Installed(client, folder / re.sub(r"\W+", "-", name.lower()))
    cells = [name]
    try:
        installed.install()
        cells += [installed.version(), client.kind, played(installed.play())]
        if client.calls_model:
            ended = ending(installed.play(Fault("server_error", "503")))
            cells.append(f"no: {ended}" if client.beside and not ended.startswith("invalid") else ended)
        else:
            cells.append("calls no model")
    except Failed as failure:
        print(f"{name}: {failure}", file=sys.stderr)
        cells += ["no: see the output"] + [""] * (4 - len(cells))
    return f"| {' | '.join(cells)} |\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=" ".join((__doc__ or "").partition("\n\n")[0].split()))
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"of {', '.join(CLIENTS)} (default: all)")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "clients", help="their environments; are kept")
    given = parser.parse_args()
    rows = []
    for name in given.clients or CLIENTS:
        rows.append(row(name, given.folder.resolve()))
        print(rows[-1], end="", flush=True)
    if not given.clients:
        node = run(["node", "--version"]).strip()
        today = f"Made on {datetime.now(UTC):%Y-%m-%d} with Python {platform.python_version()} and Node {node}:\n\n"
        before, mark, rest = PAGE.read_text("utf-8").partition("<!-- client_matrix -->\n")
        after = rest.partition("<!-- end -->")[2]
        PAGE.write_text(f"{before}{mark}{today}{COLUMNS}{''.join(rows)}<!-- end -->{after}", "utf-8")
    return int(any("| no: " in each for each in rows))


if __name__ == "__main__":
    raise SystemExit(main())
