"""`longtrail record-task`: what a person does in the window becomes a task that the oracle can play."""

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from longtrail.authoring.record_task import record_app, record_long_context
from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.commands.main import main
from longtrail.episode.context import EpisodeContext
from longtrail.episode.open_app import OpenApp
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.tasks.app_task import App, AppTask
from longtrail.tasks.loading import read_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.web.own_web import OwnWeb
from longtrail.yaml_file import read_yaml
from tests.episode.flask_shop import Shop, make, served
from tests.made import play_case
from tests.pytest_plugin.pytest_process import ROOT, run_pytest

pytest.importorskip("flask")
REFERENCES = read_yaml(Path(__file__).with_name("references.yaml"))
SHOPPING = """
    page.get_by_role("link", name="Order 12").click()
    page.get_by_label("Reason").fill("too small")
    page.get_by_role("button", name="Refund").click()
    page.get_by_text("Refund issued").wait_for()
"""
WORKING = """
    import pathlib
    page.goto(page.url + "desk")
    page.once("dialog", lambda dialog: dialog.accept("Berries"))
    page.get_by_role("button", name="New list").click()
    page.get_by_label("File").set_input_files(pathlib.Path(sys.argv[2]).parent / "note.txt")
    page.goto(page.url.replace("desk", "workshop"))
    page.get_by_role("button", name="Row").dblclick()
    page.get_by_role("button", name="Row").click(button="right")
    page.get_by_label("Stars").press("ArrowRight")
    page.get_by_label("Name").press_sequentially("Bo")
    page.get_by_label("Name").fill("Bo")
    page.get_by_label("Name").press("Enter")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Ask").click()
    page.wait_for_timeout(300)
"""
SEARCHING = """
    page.goto("https://www.ikea.com/")
    Path(sys.argv[2]).touch()
    while not Path(sys.argv[3]).exists():
        page.wait_for_timeout(50)
    with page.expect_navigation():
        page.get_by_role("link").nth(3).click()
"""


class Person:
    """A person at the window, simulated by a process that drives the browser."""

    def __init__(self, does: str, folder: Path) -> None:
        self.program, self.half, self.second = folder / "person.py", folder / "half", folder / "second"
        self.program.write_text(
            "import sys\nfrom pathlib import Path\nfrom playwright.sync_api import sync_playwright\n"
            "with sync_playwright() as driver:\n"
            "    page = driver.chromium.connect_over_cdp(sys.argv[1]).contexts[0].pages[0]\n" + does
        )
        self.done = threading.Event()
        self.failed = ""

    def sits_down(self, address: str) -> None:
        threading.Thread(target=self._work, args=(address,), daemon=True).start()

    def _work(self, address: str) -> None:
        command = [sys.executable, str(self.program), address, str(self.half), str(self.second)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.failed = done.stderr if done.returncode else ""
        self.done.set()

    def parts(self) -> Callable[[], bool]:
        """A function that is true once when the first part is done, and again when the second is done."""
        told: list[bool] = []

        def ended() -> bool:
            if told:
                self.second.touch()
                return self.done.is_set()
            told.extend([True] if self.half.exists() else [])
            return bool(told) or self.done.is_set()

        return ended


def moves(task: AppTask) -> list[dict[str, Any]]:
    return [step.model_dump(exclude_defaults=True) for step in task.reference]


@pytest.mark.slow
def test_a_recorded_task_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    person, shop, launch = Person(SHOPPING, tmp_path), Shop(), Launch(headless=True)
    shop.reset()
    shop.sessions.add(None)  # type: ignore[arg-type]  # nobody has to log in
    with served(make(shop, "http://127.0.0.1:9")) as address:
        app = App(address=address)
        path = record_app(
            "refund", app, "/", "Refund order 12.", tmp_path, person.done.is_set, launch, ready=person.sits_down
        )
        assert not person.failed, person.failed
        (task,) = read_tasks(path)
        assert isinstance(task, AppTask)
        assert moves(task) == REFERENCES["refund"]
        told = [(key.kind, key.paths) for key in task.key_steps if key.kind in ("request", "url")]
        assert told == [("request", ("/orders/12/refund",)), ("url", ("/orders/12",))]
        with OwnWeb() as web, Browser(ViewSettings(screenshot=False)) as browser:
            opened = OpenApp(app, address, functions={"reset": shop.reset})
            context = EpisodeContext(web, browser, Contender(agent="oracle"), app=lambda: opened)
            case = Case(id="refund-r0", suite="app", task="refund")
            assert score(task, play_case(case, task, context)).outcome == "passed"
    assert main(["validate", str(path)]) == 4  # nothing resets the app, which the recording can't know
    assert "app.reset" in capsys.readouterr().out


@pytest.mark.thorough
def test_keys_files_and_dialogs_are_recorded(tmp_path: Path) -> None:
    person, shop, launch = Person(WORKING, tmp_path), Shop(), Launch(headless=True)
    (tmp_path / "note.txt").write_text("Paid by card")
    shop.reset()
    shop.sessions.add(None)  # type: ignore[arg-type]
    with served(make(shop, "http://127.0.0.1:9")) as address:
        app = App(address=address)
        path = record_app("work", app, "/", "", tmp_path, person.done.is_set, launch, ready=person.sits_down)
    assert not person.failed, person.failed
    (task,) = read_tasks(path)
    assert isinstance(task, AppTask)
    assert moves(task) == REFERENCES["keys, files and dialogs"]
    assert task.files == ("note.txt",)


@pytest.mark.slow
def test_two_parts_on_an_embedded_site(tmp_path: Path) -> None:
    person = Person(SEARCHING, tmp_path)
    launch = Launch(headless=True)
    start = "https://www.google.com/"
    path = record_long_context("chairs", start, "", tmp_path, person.parts(), launch, ready=person.sits_down)
    assert not person.failed, person.failed
    (task,) = read_tasks(path)
    assert isinstance(task, LongContextTask)
    assert task.host == "www.ikea.com"
    assert task.a1.reference[0].goto == "https://www.ikea.com/us/en/"
    assert task.a2.reference[0].click is not None


@pytest.mark.thorough
def test_three_kinds_are_walked_played_and_gated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recorded task on an app, a recorded task with two parts and the example of a decision task, in one folder. Only
    what a recording can't know is added: how the app is reset."""
    tasks, launch, shop = tmp_path / "tasks", Launch(headless=True), Shop()
    shop.reset()
    shop.sessions.add(None)  # type: ignore[arg-type]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    walker, searcher = Person(SHOPPING, tmp_path / "one"), Person(SEARCHING, tmp_path / "two")
    start = "https://www.google.com/"
    record_long_context("chairs", start, "", tasks, searcher.parts(), launch, ready=searcher.sits_down)
    shutil.copy(ROOT / "examples" / "shop_task" / "umbrella.yaml", tasks)
    web = make(shop, "http://127.0.0.1:9")
    web.post("/reset")(lambda: (shop.reset(), "")[1])
    with served(web) as address:
        app = App(address=address)
        refund = record_app(
            "refund", app, "/", "Refund order 12.", tasks, walker.done.is_set, launch, ready=walker.sits_down
        )
        assert not walker.failed + searcher.failed
        text = refund.read_text(encoding="utf-8")
        refund.write_text(text.replace(f"address: {address}", f"address: {address}\n    reset: POST /reset"))
        assert main(["validate", str(refund)]) == 0, capsys.readouterr()
        assert main(["validate", str(tasks / "chairs.yaml")]) == 4  # the recording is too short for a shipped task
        assert "chairs.a2.reference: expected 4 to 14 moves, got 1" in capsys.readouterr().out
        wanted = ("-m", "own and not appeal and (app or raw or noise_0)", "--lengths=0", "--no-shots")
        played = ("-q", f"--tasks={tasks}", *wanted, f"--reports={tmp_path / 'reports'}")
        first = run_pytest(*played, "--run=main")
        assert first.code == 0, first.said[-3000:]
        assert "3/3 · 3 passed" in first.out
        again = run_pytest(*played, "--run=next", f"--baseline={tmp_path / 'reports' / 'runs' / 'main'}")
    assert again.code in (0, 6), again.said[-3000:]
    assert "3/3 · 3 passed" in again.out
