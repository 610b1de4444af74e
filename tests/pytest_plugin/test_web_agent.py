"""`web_agent` in a suite of a user's own: one file of Python, a fixture that serves the app, two workers."""

import shutil
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, run_pytest

pytest.importorskip("flask")
SUITE = """
import pytest
from tests.episode.flask_shop import Shop, make, served

DONE = [
    {"click": {"role": "link", "name": "Order 12"}},
    {"click": {"role": "button", "name": "Refund"}},
]


@pytest.fixture
def shop():
    shop = Shop()
    with served(make(shop, "http://127.0.0.1:9")) as shop.address:
        yield shop


def refund(web_agent, shop, reference, repeats):
    def refunded():
        assert shop.status == {"12": "refunded", "13": "paid"}

    steps = [{"kind": "request", "paths": ["/orders/12/refund"]}, refunded]
    return web_agent(
        shop.address, "Refund order 12", key_steps=steps, reset=shop.reset, login=shop.login,
        reference=reference, repeats=repeats,
    )


def test_refund(web_agent, shop):
    result = refund(web_agent, shop, DONE, 3)
    assert result.success_rate == 1.0
    assert result.not_worse_than(BASELINE) if BASELINE else True


def test_refused(web_agent, shop):
    result = refund(web_agent, shop, DONE[:1], 1)
    assert result.success_rate >= 0.8, result.reasons


def test_without_a_reference(web_agent, shop):
    web_agent(shop.address, "Refund order 12", key_steps=["/orders/12"], reset=shop.reset, login=shop.login)


def test_misspelt(web_agent, shop):
    web_agent(shop.address, "Refund", key_steps=[{"kind": "request", "path": "/"}], reference=DONE)


def test_nothing_of_longtrail():
    assert True
"""

PLUGIN = """
import pytest
from tests.episode.flask_shop import Shop, make, served

SHOP = Shop()


@pytest.fixture
def shop():
    SHOP.sessions.add(None)
    with served(make(SHOP, "http://127.0.0.1:9")) as SHOP.address:
        yield SHOP.address


def fill():
    SHOP.reset()


def status(address):
    assert address == SHOP.address
    return SHOP.status["12"]
"""


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("suite")
    (folder / "test_shop.py").write_text(SUITE.replace("BASELINE", "None"))
    (folder / "pytest.ini").write_text("[pytest]\n")
    return folder


def play(suite: Path, *args: str) -> Done:
    return run_pytest("-p", "no:cacheprovider", "-q", *args, cwd=suite, env=environment(PYTHONPATH=str(ROOT)))


@pytest.mark.slow
def test_a_suite_with_its_own_agent_tests(suite: Path) -> None:
    """Tests pass, fail with reasons, are skipped without an agent, or report a misspelt field in one line. Both workers
    write one run, with which the next session is compared."""
    done = play(suite, "-n", "2", "--run", "first")
    assert done.code == 1, done.said
    assert "2 passed" in done.out, done.said
    assert "2 failed" in done.out
    assert "1 skipped" in done.out
    assert "missing: request-1 (no POST request at /orders/12/refund was sent)" in done.out.replace("\n", " ")
    assert "web_agent: key_steps.0.paths: Field required" in done.out
    run = Run.open(suite / "reports" / "runs" / "first")
    assert sorted(result.case.id for result in run.results()) == [
        "test_shop-test_refund-r0",
        "test_shop-test_refund-r1",
        "test_shop-test_refund-r2",
        "test_shop-test_refused-r0",
    ]
    told = next(line for line in done.out.splitlines() if "/traces/test_shop-test_refused-r0.html" in line)
    assert Path(told.strip().partition("#")[0]).is_file(), "a failed test names its episode's page"
    assert main(["rescore", str(run.folder)]) == 0
    (suite / "test_shop.py").write_text(SUITE.replace("BASELINE", "'first'"))
    again = play(suite, "-k", "test_refund", "--run", "second")
    assert again.code == 0, again.said
    assert "test_refund" not in again.out
    assert "Longtrail: your own apps" in again.out


def test_a_task_file_names_a_fixture(tmp_path: Path) -> None:
    """A fixture of a plugin serves the app of a YAML task; `ordered` and a function by its path are used."""
    (tmp_path / "shop_plugin.py").write_text(PLUGIN)
    (tmp_path / "tasks").mkdir()
    shutil.copy(Path(__file__).parent / "data" / "refund.yaml", tmp_path / "tasks")
    shipped = (str(ROOT / "benchmark_tests"), "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"))
    own = ("-p", "shop_plugin", f"--tasks={tmp_path / 'tasks'}", "-m", "app", f"--reports={tmp_path / 'r'}")
    done = run_pytest(*shipped, *own, env=environment(PYTHONPATH=f"{tmp_path}:{ROOT}"))
    assert done.code == 0, done.said
    assert "1 passed" in done.out


INDIRECT = """
import pytest
from test_shop import DONE, refund, shop


@pytest.fixture
def refunded(web_agent, shop):
    return refund(web_agent, shop, DONE, 1)


@pytest.mark.usefixtures("shop")
class TestOrders:
    def test_refunded(self, refunded):
        assert refunded.success_rate == 1.0
"""


def test_a_fixture_of_theirs_asks_for_the_agent(suite: Path) -> None:
    """No test of the session names `web_agent`: a fixture of theirs does."""
    (suite / "test_shop.py").write_text(SUITE.replace("BASELINE", "None"))
    (suite / "test_indirect.py").write_text(INDIRECT)
    done = play(suite, "test_indirect.py", "-k", "TestOrders", "--run", "indirect")
    assert done.code == 0, done.said
    assert "1 passed" in done.out
    assert "Longtrail: your own apps" in done.out


def test_no_case_no_trace(suite: Path, tmp_path: Path) -> None:
    """A session that plays nothing writes nothing."""
    done = play(suite, "-k", "nothing_of_longtrail", f"--reports={tmp_path / 'r'}")
    assert done.code == 0, done.said
    assert not (tmp_path / "r").exists()
    assert "Longtrail" not in done.out


@pytest.mark.thorough
def test_a_second_session_never_writes_into_the_run_of_the_first(suite: Path) -> None:
    """Its episodes would look like second attempts of the first one's."""
    assert play(suite, "-k", "test_refused", "--run", "taken").code == 1
    before = {path.name for path in (suite / "reports" / "runs" / "taken" / "episodes").iterdir()}
    again = play(suite, "-k", "test_refused", "--run", "taken")
    assert again.code == 1
    assert "already has a run; choose another name" in again.out
    assert {path.name for path in (suite / "reports" / "runs" / "taken" / "episodes").iterdir()} == before


def test_a_flag_that_would_do_nothing_is_refused(suite: Path) -> None:
    """`tests/options/test_flags.py` has the others."""
    done = play(suite, "-k", "test_refused", "--run", "refused", "--shard", "1/2")
    assert done.code == 1, done.said
    assert "--shard is for planned cases, not for tests with web_agent; give each machine files" in done.out
    assert not (suite / "reports" / "runs" / "refused").exists()
