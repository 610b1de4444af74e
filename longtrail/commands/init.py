"""Create `evals/` with all files needed to evaluate your own agent: an agent stub, a test file with the benchmark's
cases, an example task, and CI workflows for GitHub and GitLab. Asks no questions and never overwrites a file."""

import argparse
from pathlib import Path

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
PYPROJECT = "pyproject.toml"
SETTINGS = {
    "pytest.toml": "",
    ".pytest.toml": "",
    "pytest.ini": "",
    ".pytest.ini": "",
    PYPROJECT: "[tool.pytest",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}
"""Files from which pytest takes its settings, and what they must contain: only the first such file counts."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where, and for which kind of agent."""
    parser.add_argument("folder", type=Path, nargs="?", default=Path(), metavar="FOLDER", help="default: this folder")
    parser.add_argument(
        "--agent",
        choices=tuple(AGENTS),
        default="model",
        help="what is evaluated: a Python object, a server (http), a program that drives the browser "
        "itself (cdp), or a model (default)",
    )


def run(args: argparse.Namespace) -> None:
    """Write the missing files and print what to do next. Raises UsageError if the folder does not exist."""
    root, kind, settings = args.folder, args.agent, settings_file(args.folder)
    if not root.is_dir():
        raise UsageError(f"init: there is no folder {root}")
    for name, text in files(kind).items():
        path = root / name
        if name == PYPROJECT != settings:  # one of the two would be ignored
            continue
        if path.exists():
            print(f"kept     {path} (it existed)")
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"written  {path}")
    written = AGENTS[kind].replace("=", " ", 1)
    print("\nNext:\n  longtrail install-browser\n  longtrail doctor")
    if kind in START:
        print(f"  {START[kind]}")
    if kind == "model":
        print(f"  pytest evals -m long_context {written} --sample 4 --estimate")
    print(f"  pytest evals -m long_context {written} --sample 4")
    print("  pytest evals --tasks=evals/tasks -m own    # the example task, played by its reference")
    if "testpaths" not in (root / settings).read_text(encoding="utf-8"):
        print(f"\nFor plain `pytest`, add to {settings}:\n{_testpaths(settings)}")


def settings_file(folder: Path) -> str:
    """Name of the file that pytest takes its settings from in this folder, or would take them from."""
    for name, section in SETTINGS.items():
        if (folder / name).is_file() and section in (folder / name).read_text(encoding="utf-8"):
            return name
    return PYPROJECT


def _testpaths(settings: str) -> str:
    if settings == PYPROJECT:
        return _template(PYPROJECT)
    value = '["evals"]' if settings.endswith(".toml") else "evals"
    return f"{SETTINGS[settings] or '[pytest]'}\ntestpaths = {value}\n"


def files(kind: str) -> dict[str, str]:
    """All files for a kind of agent, by their paths."""
    start = "".join(f"\n      - run: {START[kind]}" for _ in [0] if kind in START)
    contents = {
        "evals/README.md": _template("README.md").replace("RUN", AGENTS[kind].replace("=", " ", 1)),
        "evals/test_benchmark.py": _template("test_benchmark.py"),
        "evals/gate.args": _template("gate.args").replace("AGENT", AGENTS[kind]),
        "evals/tasks/example.yaml": example_task().read_text(encoding="utf-8"),
        PYPROJECT: _template(PYPROJECT),
        ".github/workflows/longtrail.yml": _template("github.yml").replace("START", start),
        ".gitlab-ci.yml": _template("gitlab.yml").replace("START", start.replace("      - run:", "    -")),
    }
    return contents if kind == "model" else {**contents, "evals/my_agent.py": _template(kind)}


def example_task() -> Path:
    """A decision task in the shop. In a wheel it is next to the other files, in a clone among the examples."""
    inside = FILES / "example.yaml"
    return inside if inside.is_file() else FILES.parents[2] / "examples" / "shop_task" / "umbrella.yaml"


def _template(name: str) -> str:
    return (FILES / f"{name}.txt").read_text(encoding="utf-8")
