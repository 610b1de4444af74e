"""Checks of the architecture: imports go one way without cycles, files are small, names are meaningful, data load."""

import ast
import functools
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from longtrail.yaml_file import read_yaml
from tests.pytest_plugin.pytest_process import environment

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "longtrail"
MODULES = sorted(PACKAGE.rglob("*.py"))
SOURCES = sorted(
    path
    for folder in (
        "longtrail",
        "fixtures",
        "benchmark_tests",
        "tests",
        "benchmarks",
        "examples",
        "integrations",
        "workshop",
    )
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
    {"variants"},
    {"browser"},
    {"noise"},
    {"agents"},
    {"options"},
    {"episode"},
    {"scoring"},
    {"statistics"},
    {"runs"},
    {"gate"},
    {"report"},
    {"environment"},
    {"importing", "exporting", "estimate", "gym", "inspect_bridge"},
    {"pytest_plugin"},
    {"authoring"},
    {"commands", "api", "testing"},
    {"__main__"},
]
"""The packages of `longtrail`, from the lowest to the highest: each imports only from those above it in this list."""
RUNG = {name: number for number, names in enumerate(LADDER) for name in names}
PACKAGE_LINES, MODULE_COUNT, TEST_LINES = 57_520, 395, 37_680
"""Maximum number of lines and modules in `longtrail/`, and of lines in `tests/`. They grow with features only."""
SCORING_LINES = 3_000
"""Maximum number of lines in `longtrail/text` and `longtrail/scoring` together."""
FILES_IN_A_FOLDER = 25
"""Maximum number of .py files directly in one folder of `longtrail/`."""
TOP_LEVEL_FILES = 7
"""Maximum number of modules in `longtrail/` itself, besides `__init__.py`. All others belong to packages."""
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "misc", "core"}
DANGEROUS = (r"\beval\(", r"\bexec\(", r"\bpickle\b", r"shell=True", r"yaml\.unsafe", r"\bmarshal\b", r"os\.system")


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree. Tries twice: before Python 3.12, a thread that compiles at the same time can make this fail
    (https://github.com/python/cpython/issues/106905)."""
    try:
        return ast.parse(text_of(path))
    except SystemError:
        return ast.parse(text_of(path))


def name_of(path: Path, folder: Path = PACKAGE) -> str:
    """`browser.session` for `longtrail/browser/session.py`; a package has its own name."""
    return ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


@functools.cache
def imported(path: Path) -> tuple[str, ...]:
    """Every dotted name that a file imports, also lazily and for types; for `from a import b` both `a` and `a.b`."""
    names: list[str] = []
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return tuple(names)


@functools.cache
def graph(folder: Path = PACKAGE) -> dict[str, frozenset[str]]:
    """For each module of a folder, the modules of the folder that it imports."""
    known = {name_of(path, folder): path for path in sorted(folder.rglob("*.py"))}
    return {
        name: frozenset({module.removeprefix(f"{folder.name}.") for module in imported(path)} & known.keys() - {name})
        for name, path in known.items()
    }


def run_python(code: str, *args: str) -> str:
    """The output of a new process that runs this code."""
    command = [sys.executable, "-c", code, *args]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def reachable(start: str, folder: Path = PACKAGE) -> set[str]:
    """All modules of the folder that this one imports, directly or through others."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        fresh = graph(folder)[waiting.pop()] - reached
        reached |= fresh
        waiting += fresh
    return reached


def test_imports_go_one_way() -> None:
    wrong = []
    for name, targets in graph().items():
        package = name.split(".")[0]
        if package == "__init__":
            continue
        if package not in RUNG:
            wrong.append(f"{package} is missing in LADDER")
            continue
        parts = {target.split(".")[0] for target in targets}
        wrong += [
            f"{name} imports {part}, which comes after it in LADDER"
            for part in sorted(parts)
            if part in RUNG and RUNG[part] > RUNG[package]
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("folder", [PACKAGE, ROOT / "workshop"], ids=lambda folder: folder.name)
def test_imports_go_in_no_circle(folder: Path) -> None:
    below = {name: reachable(name, folder) for name in graph(folder)}
    circles = {frozenset({name} | {other for other in below[name] if name in below[other]}) for name in below}
    circles = {circle for circle in circles if len(circle) > 1}
    assert not circles, "\n".join(" <-> ".join(sorted(circle)) for circle in circles)


def lines_of(folder: str) -> int:
    return sum(len(text_of(path).splitlines()) for path in (ROOT / folder).rglob("*.py"))


def test_the_package_stays_small() -> None:
    assert lines_of("longtrail") <= PACKAGE_LINES
    assert len(MODULES) <= MODULE_COUNT
    assert lines_of("tests") <= TEST_LINES
    assert lines_of("longtrail/text") + lines_of("longtrail/scoring") <= SCORING_LINES
    folders = Counter(path.parent.relative_to(ROOT) for path in MODULES)
    assert {folder: count for folder, count in folders.items() if count > FILES_IN_A_FOLDER} == {}


def test_the_top_level_stays_small() -> None:
    files = sorted(path.name for path in PACKAGE.glob("*.py") if path.name != "__init__.py")
    assert len(files) <= TOP_LEVEL_FILES, files


def test_files_are_small_and_named() -> None:
    wrong = []
    for path in SOURCES:
        text, name = text_of(path), path.relative_to(ROOT)
        if len(text.splitlines()) > 300:
            wrong.append(f"{name}: more than 300 lines")
        if path.stem in EMPTY_NAMES:
            wrong.append(f"{name}: the name has no meaning")
        if text.strip() and path.name != "__init__.py" and not ast.get_docstring(parsed(path)):
            wrong.append(f"{name}: has no module docstring")
    assert len(SOURCES) > 600
    assert not wrong, "\n".join(wrong)


def test_the_map_names_every_package_and_its_files() -> None:
    guide = text_of(ROOT / "CONTRIBUTING.md")
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {name for name in packages if f"\n  {name}/ " not in guide} == set()
    walk = guide.partition("## Follow one case")[2].partition("\n## ")[0]
    files = re.findall(r"`(\w+/\w+\.py)`", walk)
    assert 20 < len(files) <= 25
    assert [file for file in files if not ((PACKAGE / file).is_file() or (ROOT / file).is_file())] == []


def test_only_the_pytest_layer_knows_pytest() -> None:
    knowing = {name_of(path) for path in MODULES if {"pytest", "_pytest"} & {n.split(".")[0] for n in imported(path)}}
    assert knowing == {
        "pytest_plugin.plugin",
        "pytest_plugin.xdist_start",
        "pytest_plugin.case_session",
        "pytest_plugin.played_tests",
        "pytest_plugin.playwright_options",
        "testing",
        "pytest_plugin.names",
        "pytest_plugin.remote.worker",
    }


def test_nothing_imports_the_fixtures() -> None:
    assert [name_of(path) for path in MODULES if "fixtures" in {n.split(".")[0] for n in imported(path)}] == []


def test_nothing_imports_the_workshop() -> None:
    """It is not installed with the package."""
    assert [name_of(path) for path in MODULES if "workshop" in {n.split(".")[0] for n in imported(path)}] == []


def test_scoring_and_statistics_need_no_browser() -> None:
    """They don't even import one indirectly: a finished run can be scored on a machine that can't play one."""
    ours = {"browser", "agents", "web", "episode", "pytest_plugin"}
    foreign = {"playwright", "starlette", "uvicorn", "httpx", "litellm", "pytest", "_pytest", "xdist"}
    wrong = []
    for path in MODULES:
        start = name_of(path)
        if start.split(".")[0] not in ("scoring", "statistics"):
            continue
        for name in {start} | reachable(start):
            file = PACKAGE / f"{name.replace('.', '/')}.py"
            taken = {each.split(".")[0] for each in imported(file)} if file.is_file() else set()
            if name.split(".")[0] in ours or taken & foreign:
                wrong.append(f"{start} imports {name}, directly or through others")
    assert not wrong, "\n".join(sorted(wrong))


def test_only_commands_know_the_authoring_part() -> None:
    """Code that makes and checks tasks is not part of a run: only the commands import it."""
    users = {name for name, targets in graph().items() if any(each.startswith("authoring") for each in targets)}
    assert {name.split(".")[0] for name in users} == {"authoring", "commands"}


@pytest.mark.thorough
def test_a_run_does_not_load_the_authoring_part(tmp_path: Path) -> None:
    """One case of the oracle, played and scored in a single process."""
    code = (
        "import sys, pytest\n"
        "code = pytest.main(['-q', '--agent', 'oracle', '--task', 'pw-020', '-m', 'raw', '--reports=' + sys.argv[1]])\n"
        "loaded = [name for name in sys.modules if name.startswith('longtrail.')]\n"
        "print('LOADED', int(code), 'longtrail.scoring.score' in loaded, [n for n in loaded if 'authoring' in n])\n"
    )
    done = run_python(code, str(tmp_path))
    assert "LOADED 0 True []" in done, done[-2000:]


def test_nothing_dangerous_is_called() -> None:
    wrong = [
        f"{name_of(path)}: {line.strip()}"
        for path in MODULES
        for line in text_of(path).splitlines()
        if any(re.search(forbidden, line) for forbidden in DANGEROUS)
    ]
    assert not wrong, "\n".join(wrong)


def test_data_load() -> None:
    files = sorted((PACKAGE / "data").rglob("*.yaml"))
    assert len(files) > 100
    assert [path.relative_to(PACKAGE) for path in files if not read_yaml(path)] == []


def test_planning_needs_nothing_heavy() -> None:
    """The imports that pytest needs to collect cases load no model client, browser, server or statistics."""
    heavy = ["litellm", "playwright", "starlette", "uvicorn", "scipy", "numpy", "PIL", "tiktoken", "jinja2", "httpx"]
    code = (
        "import sys, longtrail.pytest_plugin.plugin, longtrail.options.run_options, longtrail.options.plan;"
        "import longtrail.tasks.loading;"
        "longtrail.tasks.loading.load_tasks();"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert run_python(code).strip() == "[]"


PRIVATE = (
    *("_fixturemanager", "_fixtureinfo", "cached_result", "torun", "nextitem_index", "_max_worker_restart", "_rinfo"),
    *("_arg2fixturedefs", "_pyfuncitem", "_setupstate", "_inicache", ".sched.", "warnings.filters"),
)
"""Private parts of pytest, xdist and execnet, and the list of warning filters."""


def test_no_private_part_of_pytest_or_xdist_is_used() -> None:
    files = [*(PACKAGE / "pytest_plugin").rglob("*.py"), *(ROOT / "fixtures").glob("*.py")]
    wrong = [f"{path.name}: {name}" for path in files for name in PRIVATE if name in text_of(path)]
    assert not wrong, wrong
