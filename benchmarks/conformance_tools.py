"""Three tools that show a page and act on it: Longtrail, Playwright's `aria_snapshot`, BrowserGym's axtree.

Each has `open(address)`, `text()` and `act(kind, words, text)`, which finds the element in the tool's own text. Run as
a script in BrowserGym's environment, this file serves BrowserGym over standard input: one JSON list a line.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

WAIT = 5_000
"""Milliseconds that Playwright may take for an action."""


FIELDS = re.compile(r"textbox|searchbox|spinbutton|combobox|listbox|slider|Date|InputTime|ColorWell", re.IGNORECASE)
"""Roles of elements that can be filled or have options."""


def element(text: str, kind: str, words: str, pattern: str) -> str | None:
    """The id of the element that an agent would choose: one in a line with these words, a field to fill or to select;
    otherwise the nearest around these words. None if they are not in the text."""
    lines = text.split("\n")
    numbers = [number for number, line in enumerate(lines) if words in line]
    identified = [match[1] for n in numbers if _suits(kind, lines[n]) and (match := re.search(pattern, lines[n]))]
    if identified or not numbers:
        return identified[0] if identified else None
    depth = 1_000
    for line in lines[numbers[0] :: -1]:
        indent = len(line) - len(line.lstrip())
        if indent < depth and (match := re.search(pattern, line)):
            return match[1]
        depth = min(depth, indent)
    return None


def _suits(kind: str, line: str) -> bool:
    return kind == "click" or FIELDS.search(line) is not None


class Longtrail:
    """A session as agents have it."""

    def __init__(self, hosts: list[str]) -> None:
        from longtrail.browser.launcher import Launch
        from longtrail.browser.session import Browser
        from longtrail.browser.url_policy import UrlPolicy

        self._browser = Browser(launch=Launch(proxied=False))
        self._session = self._browser.session(url_policy=UrlPolicy(hosts))

    def open(self, address: str) -> None:
        self._session.goto(address)

    def text(self) -> str:
        return self._session.observe().text

    def act(self, kind: str, words: str, text: str) -> bool:
        from longtrail.records.action import Click, Fill, Select

        number = element(self.text(), kind, words, rf"\[(\d+)\] [^\[]*{re.escape(words)}")
        if number is None:
            return False
        actions = {"click": Click(id=number), "fill": Fill(id=number, text=text)}
        return self._session.act(actions.get(kind) or Select(id=number, option=text)).ok

    def close(self) -> None:
        self._session.close()
        self._browser.close()


class AriaSnapshot:
    """Playwright's snapshot for models (`mode="ai"`), and its references."""

    def __init__(self) -> None:
        from playwright.sync_api import sync_playwright

        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(executable_path=os.environ["LONGTRAIL_CHROMIUM"])
        self._page = self._browser.new_page(viewport={"width": 1280, "height": 720})

    def open(self, address: str) -> None:
        self._page.goto(address)

    def text(self) -> str:
        return str(self._page.aria_snapshot(mode="ai"))

    def act(self, kind: str, words: str, text: str) -> bool:
        from playwright.sync_api import Error

        reference = element(self.text(), kind, words, r"\[ref=(\w+)\]")
        if reference is None:
            return False
        target = self._page.locator(f"aria-ref={reference}")
        try:
            if kind == "click":
                target.click(timeout=WAIT)
            elif kind == "fill":
                target.fill(text, timeout=WAIT)
            else:
                target.select_option(label=text, timeout=WAIT)
        except Error:
            return False
        return True

    def close(self) -> None:
        self._browser.close()
        self._driver.stop()


class BrowserGym:
    """BrowserGym in its own environment: this file, run there as a script."""

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent
        )

    def _ask(self, *order: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def open(self, address: str) -> None:
        self._ask("open", address)

    def text(self) -> str:
        return str(self._ask("text"))

    def act(self, kind: str, words: str, text: str) -> bool:
        return bool(self._ask("act", kind, words, text))

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(60)


class _Environment:
    """BrowserGym's environment, with its own actions and its text of the tree."""

    def __init__(self) -> None:
        from browsergym_theirs import environment, patched_launch

        patched_launch()
        self._env = environment("about:blank", shipped=False)
        self._env.reset()
        self._obs: dict[str, Any] = {}

    def open(self, address: str) -> bool:
        self._env.page.goto(address)
        self._step("noop(100)")
        return True

    def text(self) -> str:
        from browsergym.utils.obs import flatten_axtree_to_str

        properties = self._obs["extra_element_properties"]
        return str(flatten_axtree_to_str(self._obs["axtree_object"], properties, with_clickable=True))

    def act(self, kind: str, words: str, text: str) -> bool:
        bid = element(self.text(), kind, words, r"\[(\w+)\]")
        if bid is None:
            return False
        name = {"click": "click", "fill": "fill", "select": "select_option"}[kind]
        arguments = [bid] if kind == "click" else [bid, text]
        self._step(f"{name}({', '.join(map(repr, arguments))})")
        error = self._obs["last_action_error"]
        self._step("noop(200)")
        return not error

    def _step(self, action: str) -> None:
        self._obs = self._env.step(action)[0]


def main() -> None:
    """Serve BrowserGym."""
    tool = _Environment()
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        print(json.dumps(getattr(tool, name)(*arguments)), flush=True)


if __name__ == "__main__":
    main()
