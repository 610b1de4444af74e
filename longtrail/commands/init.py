"""The command that writes `evals/` for a project's own agent, from the templates in `init_files/`."""

import json
from argparse import Namespace
from importlib.metadata import distribution
from pathlib import Path

from longtrail.commands.main import command
from longtrail.errors import UsageError

FILES = Path(__file__).parent / "init_files"
AGENTS = {
    "python": "--agent=evals.my_agent:make",
    "http": "--agent=http://127.0.0.1:9000",
    "cdp": "--agent=cdp:evals.my_agent:solve",
    "model": "--model=gpt-4.1",
}
"""Kind of agent -> its pytest options."""
START = {"http": "python evals/my_agent.py 9000 &"}
"""What must be started before pytest."""
WORKFLOWS = {"github": ".github/workflows/longtrail.yml", "gitlab": ".gitlab-ci.yml"}
"""CI service -> the file of its workflow."""
BUDGET = "--budget=20"
"""At most so many USD for one run in CI, where a model is called."""


@command("init")
def init(args: Namespace) -> None:
    """Create `evals/` with all files needed to evaluate your own agent: an agent stub, a test file with the benchmark's
    cases, an example task, and a CI workflow. Asks no questions, never overwrites a file, and changes no setting of
    your other tests."""
    root, kind = args.folder, args.agent
    if not root.is_dir():
        raise UsageError(f"init: there is no folder {root}")
    for name, text in files(kind, args.ci).items():
        path = root / name
        if path.exists():
            print(f"kept     {path} (it existed)")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"written  {path}")
    agent_options = AGENTS[kind].replace("=", " ", 1)
    print("\nNext:\n  longtrail install-browser\n  longtrail doctor")
    if kind in START:
        print(f"  {START[kind]}")
    if kind == "model":
        print(f"  pytest evals -m long_context {agent_options} --sample 4 --estimate")
    print(f"  pytest evals -m long_context {agent_options} --sample 4")
    print("  pytest evals --tasks=evals/tasks -m own    # the example task, played by its reference")


def files(kind: str, ci: str) -> dict[str, str]:
    """All files for a kind of agent and a CI service, by their paths."""
    start = "".join(f"\n          {START[kind]}" for _ in [0] if kind in START)
    texts = {
        "evals/README.md": _template("README.md").replace("RUN", AGENTS[kind].replace("=", " ", 1)),
        "evals/test_benchmark.py": _template("test_benchmark.py"),
        "evals/gate.args": _template("gate.args").replace("AGENT", AGENTS[kind]),
        "evals/requirements.txt": _template("requirements.txt").replace("LONGTRAIL", requirement()),
        "reports/.gitignore": "# runs: pages, screenshots and answers\n*\n",
        "evals/tasks/example.yaml": example_task().read_text(encoding="utf-8"),
    }
    if kind == "model":
        texts["evals/gate.args"] += f"{BUDGET}\n"
    else:
        texts["evals/my_agent.py"] = _template(kind)
    if ci in WORKFLOWS:
        lines = start if ci == "github" else start.replace("          ", "    - ")
        texts[WORKFLOWS[ci]] = _template(f"{ci}.yml").replace("START", lines)
    return texts


def requirement() -> str:
    """This version of Longtrail, in pip's form: the version, or the address that it was installed from."""
    installed = distribution("longtrail")
    source = json.loads(installed.read_text("direct_url.json") or "{}")
    if commit := source.get("vcs_info", {}).get("commit_id"):
        return f"longtrail @ {source['vcs_info']['vcs']}+{source['url']}@{commit}"
    if source.get("url", "").startswith("https:"):
        return f"longtrail @ {source['url']}"
    return f"longtrail=={installed.version}"


def example_task() -> Path:
    """A decision task in the shop. In a wheel it is next to the other files, in a clone among the examples."""
    inside = FILES / "example.yaml"
    return inside if inside.is_file() else FILES.parents[2] / "examples" / "shop_task" / "umbrella.yaml"


def _template(name: str) -> str:
    return (FILES / f"{name}.txt").read_text(encoding="utf-8")
