"""The architecture is a test: imports go one way, files stay small, names say something, data load."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from longtrail.tasks.loading import read_yaml

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "longtrail"
MODULES = sorted(PACKAGE.rglob("*.py"))
SOURCES = sorted(
    path
    for folder in ("longtrail", "fixtures", "benchmark_tests", "tests", "benchmarks", "examples")
    for path in (ROOT / folder).rglob("*.py")
)
LADDER: list[set[str]] = [
    {"errors", "paths", "clock", "yaml_file"},
    {"records"},
    {"text"},
    {"llm"},
    {"checks"},
    {"tasks"},
    {"web"},
    {"browser"},
    {"noise"},
    {"agents"},
    {"options"},
    {"episode"},
    {"scoring"},
    {"statistics"},
    {"runs"},
    {"report"},
    {"gate", "importing"},
    {"estimate", "gym"},
    {"pytest_plugin"},
    {"authoring"},
    {"commands"},
    {"__main__"},
]
RUNG = {name: number for number, names in enumerate(LADDER) for name in names}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc", "core"}


def _imports(path: Path) -> set[str]:
    """First part below `longtrail.` of everything that a file imports, lazily or not, types included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names = (
                [f"{node.module}.{alias.name}" for alias in node.names] if node.module == "longtrail" else [node.module]
            )
            found.update(names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return {name.split(".")[1] for name in found if name.startswith("longtrail.")}


def _own(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = _own(path)
    if own == "__init__":
        return
    assert own in RUNG, f"{own} has no rung on the ladder"
    wrong = {name for name in _imports(path) if name in RUNG and RUNG[name] > RUNG[own]}
    assert not wrong, f"{path.name} ({own}) imports {', '.join(sorted(wrong))}, which stand below it on the ladder"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_are_small_and_named(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300, f"{path}: more than 300 lines"
    assert path.stem not in EMPTY_NAMES, f"{path}: the name says nothing"
    if text.strip() and path.name != "__init__.py":
        assert ast.get_docstring(ast.parse(text)), f"{path}: opens without saying what it is"


def test_only_the_pytest_layer_knows_pytest() -> None:
    knowing = {
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if re.search(r"^\s*(import pytest|from (_?pytest)\b)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert knowing == {"pytest_plugin/plugin.py"}


def test_nothing_imports_the_fixtures() -> None:
    for path in MODULES:
        assert not re.search(r"^\s*(from|import) fixtures", path.read_text(encoding="utf-8"), re.MULTILINE), path


@pytest.mark.parametrize(
    "forbidden",
    [r"\beval\(", r"\bexec\(", r"\bpickle\b", r"shell=True", r"yaml\.unsafe", r"\bmarshal\b", r"os\.system"],
)
def test_nothing_dangerous_is_called(forbidden: str) -> None:
    for path in MODULES:
        for line in path.read_text(encoding="utf-8").splitlines():
            assert not re.search(forbidden, line), f"{path.name}: {line.strip()}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "data").rglob("*.yaml")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_data_load(path: Path) -> None:
    assert read_yaml(path)


def test_planning_needs_nothing_heavy() -> None:
    """What collecting imports must not pull in models, browsers, servers or statistics."""
    heavy = ["litellm", "playwright", "starlette", "uvicorn", "scipy", "numpy", "PIL", "tiktoken", "jinja2", "httpx"]
    code = (
        "import sys, longtrail.pytest_plugin.plugin, longtrail.options.run_options, longtrail.options.plan;"
        "import longtrail.tasks.loading;"
        "longtrail.tasks.loading.load_tasks();"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
