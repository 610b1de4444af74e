"""In a repository without our cases, pytest behaves as if Longtrail were not installed."""

import json
import sys
from pathlib import Path

import pytest

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import environment, process, run_pytest
from tests.pytest_plugin.test_user_suites import EVALS

CONFTEST = """
import pytest


def pytest_addoption(parser):
    parser.addoption("--profile", action="store_true", help="theirs")
    parser.addoption("--run", default="none", help="theirs")


class Late:  # a plugin that comes after Longtrail's, with an option of the same name
    def pytest_addoption(self, parser):
        parser.addoption("--seed", type=int, default=1)


def pytest_configure(config):
    assert config.getoption("--profile") in (True, False)
"""
TESTS = """
import pytest


@pytest.fixture(params=["a", "b"])
def planned(request):
    return request.param


@pytest.fixture
def run(planned):
    return f"run {planned}"


@pytest.fixture
def result():
    return 1


@pytest.fixture
def lab():
    return 2


@pytest.fixture
def prompt(lab):
    return lab


@pytest.mark.parametrize("case", ["pw-025-raw-r0", "x"])
def test_named_like_a_case(case, planned, run, result, prompt, pytestconfig):
    assert run == f"run {planned}"
    assert result + prompt == 3
    assert pytestconfig.getoption("--run") == "slow"
    assert pytestconfig.getoption("profile")


@pytest.mark.parametrize("one", ["pw-025-raw-r0"])
def test_called_exactly_like_a_case(one):
    pass


@pytest.mark.hard
def test_with_a_marker_of_theirs():
    pass
"""
INI = """
[pytest]
markers =
    hard: takes long
"""
LOOK = """
import json, sys, pytest
code = int(pytest.main(sys.argv[1:]))
print("\\nLOADED", json.dumps([code, sorted(n for n in sys.modules if n.partition(".")[0] == "longtrail")]))
"""
ALLOWED = {
    "longtrail",
    "longtrail.errors",
    "longtrail.paths",
    "longtrail.pytest_plugin",
    "longtrail.pytest_plugin.plugin",
    "longtrail.pytest_plugin.names",
    "longtrail.options",
    "longtrail.options.flags",
    "longtrail.records",
    "longtrail.records.grouping",
    "longtrail.pytest_plugin.xdist_start",
}
"""The hook module, the markers and flags that it registers, and `xdist_start` with workers."""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text(INI)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "late.py").write_text("def pytest_addoption(parser):\n    parser.addoption('--sample', default='')\n")
    (tmp_path / "test_theirs.py").write_text(TESTS)
    return tmp_path


def looked(folder: Path, *args: str) -> tuple[int, set[str], str]:
    """Exit code, the modules of ours that the session loaded, and what it printed."""
    command = (sys.executable, "-c", LOOK, "-p", "no:hypothesispytest", "-p", "no:cacheprovider", *args)
    done = process(*command, cwd=folder, env=environment(PYTHONDONTWRITEBYTECODE="1"))
    out, _, loaded = done.out.rpartition("LOADED ")
    code, modules = json.loads(loaded)
    return code, set(modules), out + done.err


@pytest.mark.sampled(2, ci=1)
@pytest.mark.parametrize("more", [(), ("-n", "2")], ids=["serial", "parallel"])
def test_a_suite_without_cases_is_not_touched(repository: Path, more: tuple[str, ...]) -> None:
    before = sorted(repository.rglob("*"))
    code, modules, said = looked(repository, "--profile", "--run=slow", "-p", "late", "--sample=x", *more)
    assert code == 0, said
    assert "6 passed" in said
    assert "longtrail" not in said.lower().replace("plugins:", "").partition("collected")[2]
    assert sorted(repository.rglob("*")) == before
    assert modules <= ALLOWED


def test_no_fixture_of_ours_is_seen(repository: Path) -> None:
    code, modules, said = looked(repository, "--fixtures", "-v")
    assert code == 0
    assert modules <= ALLOWED
    assert "longtrail" not in said.partition("fixtures defined from")[2]


def test_a_short_form_is_ours_only_if_it_is_free(repository: Path) -> None:
    """Theirs are `--profile`, `--run` and (registered after ours) `--sample`; `--lengths` and `--seed` are free."""
    told = run_pytest("--help", "-p", "late", cwd=repository)
    assert told.code == 0, told.said
    for name in ("longtrail-profile", "longtrail-run", "longtrail-sample", "lengths", "model", "agent"):
        assert f"--{name}=" in told.out, name
    assert "webagent (default with --model)" in " ".join(told.out.split())


OVERRIDES = """

@pytest.fixture
def prompt(prompt):
    return f"{prompt} Be brief."
"""


@pytest.mark.sampled(2, ci=1)
@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_overridden_fixture_changes_what_is_played_and_is_named(
    repository: Path, tmp_path: Path, workers: str
) -> None:
    """A missed stage is a failed subtest that pytest and JUnit count."""
    (repository / "conftest.py").write_text(CONFTEST + OVERRIDES)
    (repository / "test_ours.py").write_text(EVALS)
    ours = ("--longtrail-task=pw-025", "--longtrail-agent=nothing", "-m", "raw or not pathways")
    theirs = ("--run=slow", "--profile", "-p", "late", "-n", workers, f"--junitxml={tmp_path}/junit.xml")
    done = run_pytest(*ours, *theirs, f"--longtrail-reports={tmp_path}/kept", "--longtrail-run=mine", cwd=repository)
    assert done.code == 1, done.said
    assert "this project overrides prompt" in done.out
    assert "2 failed, 6 passed" in done.out
    assert 'failures="2"' in (tmp_path / "junit.xml").read_text()
    run = Run.open(tmp_path / "kept" / "runs" / "mine")
    assert run.manifest.overridden == ("prompt",)
    assert 'fixtures that the project overrides</dt><dd class="mono">prompt<' in (run.folder / "index.html").read_text()
    assert [episode.prompt.endswith(" Be brief.") for episode in run.episodes()] == [True]


BESIDE = """
import pytest
from longtrail.testing import cases


@pytest.fixture
def step_number(request):  # as pytest-repeat repeats tests
    return request.param


def pytest_generate_tests(metafunc):
    metafunc.fixturenames.append("step_number")
    metafunc.parametrize("step_number", range(2), indirect=True)


@pytest.fixture
def outcome(longtrail_result):
    return longtrail_result.outcome


@pytest.mark.shopping_admin
@pytest.mark.parametrize("strict", [True, False])
def test_beside_a_parameter(outcome, strict):
    assert outcome == "passed"


@cases("shopping_admin")
def test_repeated(result):
    assert result.outcome == "passed"
"""


def test_other_parameters_beside_the_case(tmp_path: Path) -> None:
    """Several tests of one case share its record."""
    (tmp_path / "test_ours.py").write_text(BESIDE)
    done = run_pytest("--task=pw-025", "-m", "raw and not appeal", "--run=mine", "--no-shots", cwd=tmp_path)
    assert done.code == 0, done.said
    assert "6 passed" in done.out
    assert [result.outcome for result in Run.open(tmp_path / "reports" / "runs" / "mine").results()] == ["passed"]


def test_a_marker_of_theirs_with_a_name_of_ours_asks_for_no_case(repository: Path) -> None:
    done = run_pytest("--profile", "--run=slow", "-m", "hard", "-p", "late", cwd=repository)
    assert done.code == 0, done.said
    assert not (repository / "reports").exists(), "nor is there a page of ours"
