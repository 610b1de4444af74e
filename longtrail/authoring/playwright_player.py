"""Playwright player: a Playwright test becomes a task on an app. Its lines are carried out in the app, in a session as
agents have it, so that the reference names elements by the roles and names that agents see, and is known to work.
"""

import ast
import os
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error, Locator

from longtrail.authoring.played_page import AssertedKeySteps, NotSeen, PlayedPage
from longtrail.authoring.playwright_reader import ParsedLine, ParsedTest, Unreadable, argument, first_text, keyword
from longtrail.authoring.record_task import app_entry, key_steps, opened_app, requests_to
from longtrail.browser.open_session import Session
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import Permissions, ViewSettings, for_reference
from longtrail.episode.open_app import OpenApp
from longtrail.errors import UsageError
from longtrail.records.trajectory import Outcome
from longtrail.tasks.app_task import App
from longtrail.tasks.reference import ReferenceStep

Entry = dict[str, Any]

PLAIN = {"click": "click", "tap": "click", "dblclick": "double_click", "hover": "hover", "clear": "clear"}
"""Methods without arguments, and their actions."""
CHECKS = {"check": True, "uncheck": False}
TAKES = {"fill": "text", "type": "text", "press_sequentially": "text", "press": "keys"}
"""Methods that take a text, and the field of their action."""
HISTORY = {"go_back": "back", "go_forward": "forward"}
MOUSE = {"click": "click", "dblclick": "double_click", "move": "move", "wheel": "wheel"}
WAITS = frozenset({"wait_for", "scroll_into_view_if_needed", "focus", "blur"})
"""Methods of elements that need no counterpart: every step waits for its page and shows its element."""
OPTION = "(list, value) => [...list.options].find(each => each.value === value || each.label === value)?.label"


def play_test(name: str, test: ParsedTest, app: App | str, folder: Path) -> Entry:
    """Play a test on an app (a name in `folder/apps.yaml`, or an app). Returns the task as it stands in YAML. Raises
    UsageError, DataError, HarnessTrouble."""
    files = _files(test)
    with opened_app(app, folder, "import") as (opened, web, world), tempfile.TemporaryDirectory() as downloads:
        policy = UrlPolicy(origin.partition("://")[2] for origin in world.origins)
        allowed = Permissions(True, True, files, Path(downloads), service_workers=True)
        settings = for_reference(ViewSettings(screenshot=True))  # a screenshot tells where elements are
        with (
            Browser(settings) as browser,
            browser.session(
                world, web.proxy(world), storage=opened.storage(), url_policy=policy, permissions=allowed
            ) as session,
        ):
            player = Player(test, opened, session)
            for line in test.lines:
                player.play(line)
        sent = requests_to(opened, world)
    entry = app_entry(
        name, app, player.start, "", player.asserted.entries or key_steps(player.outcomes, sent), player.reference
    )
    named = [os.path.relpath(path, folder) for path in files.values()]
    return entry | ({"files": named} if named else {})


def _files(test: ParsedTest) -> Mapping[str, Path]:
    """The files that a test uploads, by name. Raises UsageError for one that isn't there."""
    found = {}
    for line in test.lines:
        if line.method == "set_input_files" and line.text is not None:
            places = [folder / line.text for folder in (test.file.parent, Path.cwd())]
            path = next((place for place in places if place.is_file()), None)
            if path is None:
                raise UsageError(f"import playwright: {test.file} line {line.number}: there is no file {places[0]}")
            found[path.name] = path.resolve()
    return found


class Player:
    """Carries out the lines of a test, one after the other, and keeps what becomes of them."""

    def __init__(self, test: ParsedTest, app: OpenApp, session: Session) -> None:
        self.start = ""
        """The path of the page on which the test begins."""
        self.reference: list[Entry] = []
        self.outcomes: list[Outcome] = []
        self._test, self._app, self._session, self._page = test, app, session, PlayedPage(session)
        self.asserted = AssertedKeySteps(self._page)
        self._recorded_at = ""
        """The app's origin when the test was recorded."""
        self._pages = ["page"]
        """Variables that hold pages, in the order in which these were opened; the last one used is `_shown`."""
        self._shown = "page"
        self._answer: Entry | None = None
        """The answer to the dialog that the next action opens."""

    def play(self, line: ParsedLine) -> None:
        """Play a line. Raises UsageError, which names it, if the app does not do what the test says."""
        try:
            self._show(line.page)
            if not (self.asserted.add(line) if line.asserts else self._do(line)):
                self._test.leave_out(line.number, line.code)
        except NotSeen:
            self._test.leave_out(line.number, f"{line.code} (no element that agents see)")
        except Unreadable as error:
            self._test.leave_out(line.number, f"{line.code} (its value is known only when the test runs: {error})")
        except (Error, AssertionError) as error:
            reason = str(error).partition("\n")[0]
            where = f"{self._test.file} line {line.number}: {line.code}"
            raise UsageError(f"import playwright: {where}: not so on {self._session.url}: {reason}") from error

    def _show(self, name: str) -> None:
        """Switch to the tab of a page, if it is another one."""
        if name in self._pages and name != self._shown:
            self._act("switch_tab", self._pages.index(name) + 1)
            self._shown = name

    def _do(self, line: ParsedLine) -> bool:
        """Whether the line is an action of a reference, or nothing that a task needs."""
        if line.method in ("on", "once"):
            self._answer = dialog_answer(line.call)
            return self._answer is not None
        if line.method in ("expect_popup", "expect_page", "new_page"):
            if line.method == "new_page":
                self._act("new_tab", "")
            self._shown = line.page
            self._pages.append(line.page)
            return True
        if line.method == "close":
            self._pages.remove(self._shown)
            self._act("close_tab", True)
            self._shown = self._pages[-1] if self._pages else ""
            return True
        if isinstance(line.target, ast.Name) or ast.unparse(line.target).endswith((".keyboard", ".mouse")):
            return self._on_page(line)
        return self._on_element(line)

    def _on_page(self, line: ParsedLine) -> bool:
        """An action on the page, its keyboard or its mouse."""
        target, text, name = ast.unparse(line.target), line.text, line.method
        numbers = [
            each.value
            for each in line.call.args
            if isinstance(each, ast.Constant) and isinstance(each.value, int | float)
        ]
        if name == "goto" and text is not None:
            self._goto(text)
        elif name in HISTORY:
            self._act(HISTORY[name], True)
        elif target.endswith(".keyboard") and text and name in ("press", "type", "insert_text"):
            self._act("press" if name == "press" else "type_text", text)
        elif target.endswith(".mouse") and name in MOUSE and len(numbers) == 2:
            self._act("mouse", {"gesture": MOUSE[name], "x": numbers[0], "y": numbers[1]})
        else:
            return name.startswith("wait_for_")  # every step waits for its page
        return True

    def _goto(self, url: str) -> None:
        """Open an address; on the app as a path. The first one is where the task starts."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        self._recorded_at = self._recorded_at or origin
        path = url.removeprefix(origin) or "/" if origin == self._recorded_at else url
        if self.start:
            return self._act("goto", path)
        self.start = path
        self._session.goto(self._app.url(path))
        return None

    def _on_element(self, line: ParsedLine) -> bool:
        method, text, call = line.method, line.text, line.call
        if any(each.arg in ("modifiers", "position", "click_count") for each in call.keywords):
            return False
        if method in PLAIN:
            kind = {"right": "right_click", None: PLAIN[method]}.get(keyword(call, "button"))
            if kind:
                self._act_on(line.target, kind)
            return kind is not None
        if method in CHECKS:
            if self._page.ask(line.target, lambda element: element.is_checked()) is not CHECKS[method]:
                self._act_on(line.target, "click")
        elif method in TAKES and text is not None:
            self._type(line.target, "press" if method == "press" else "fill", {TAKES[method]: text})
        elif method == "set_input_files" and text is not None:
            self._act_on(line.target, "upload", file=Path(text).name)
        elif method == "select_option":
            for option in _options(call):
                label = self._page.ask(line.target, partial(_label, option))
                self._act_on(line.target, "select", option=label or option)
        elif method == "drag_to" and call.args:
            self._act_on(line.target, "drag", onto=call.args[0])
        else:
            return method in WAITS
        return True

    def _type(self, target: ast.expr, kind: str, fields: Entry) -> None:
        """Type into a field or press a key in it. A click that only set the focus, and Enter, are part of typing."""
        before = self.reference[-1] if self.reference else {}
        if kind == "fill" and "click" in before:
            place = self._page.place(target)[1]
            if place == before["click"]:
                self.reference.pop()
        try:
            self._act_on(target, kind, **fields)
        except NotSeen:
            if kind == "fill":
                raise
            self._act("press", fields["keys"])  # the key goes to what has the focus
        if fields.get("keys") == "Enter" and "fill" in before and len(self.reference) > 1:
            element = self.reference[-1]["press"]
            if isinstance(element, dict) and element.items() - {("keys", "Enter")} <= before["fill"].items():
                self.reference.pop()
                before["fill"]["enter"] = True

    def _act_on(self, target: ast.expr, kind: str, onto: ast.expr | None = None, **fields: str) -> None:
        number, place = self._page.place(target)
        other, other_place = self._page.place(onto) if onto is not None else ("", None)
        self._act(kind, {**place, **({"onto": other_place} if other_place else {}), **fields}, number, other)

    def _act(self, kind: str, value: Any, element: str = "", onto: str = "") -> None:
        """Carry out an action, and add it to the reference. Raises UsageError if the page makes it impossible."""
        step = self._app.reference([ReferenceStep.model_validate({kind: value})])[0]
        outcome = self._session.act(step.action(element, onto))
        if not outcome.ok:
            raise Error(outcome.error)
        self.outcomes.append(outcome)
        self.reference.append({kind: value})
        if self._answer is not None or "dialog" in outcome.note:
            answer = ReferenceStep.model_validate({"answer_dialog": self._answer or {"accept": False}})
            answered = self._session.act(answer.action())
            if answered.ok:  # otherwise this action opened none
                self.outcomes.append(answered)
                self.reference.append({"answer_dialog": self._answer or {"accept": False}})
                self._answer = None


async def _label(option: str, element: Locator) -> str | None:
    """The visible text of a list's option that is given by its value or text."""
    label: str | None = await element.evaluate(OPTION, option)
    return label


def _options(call: ast.Call) -> list[str]:
    """The options of `select_option`, by value or label. Raises Unreadable."""
    given = [*call.args, *(each.value for each in call.keywords if each.arg in ("label", "value"))]
    values = argument(given[0]) if given else []
    return [values] if isinstance(values, str) else list(values)


def dialog_answer(call: ast.Call) -> Entry | None:
    """What a handler of dialogs answers: `lambda dialog: dialog.accept("Berries")`."""
    kind, handler = first_text(call), call.args[1] if len(call.args) > 1 else None
    if kind != "dialog" or not isinstance(handler, ast.Lambda) or not isinstance(answer := handler.body, ast.Call):
        return None
    method, text = ast.unparse(answer.func).rpartition(".")[2], first_text(answer)
    return (
        {"accept": method == "accept", **({"text": text} if text else {})} if method in ("accept", "dismiss") else None
    )
