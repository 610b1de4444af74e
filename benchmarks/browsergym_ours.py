"""This environment's side of the comparison: a process that executes commands from standard input, one JSON line each.

{"do": "step" (or another of `main`), "size": "small", "times": 3} -> {"seconds": [...]}
"""

import json
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from browsergym_pages import html
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.url_policy import UrlPolicy
from longtrail.records.action import Click
from longtrail.records.trajectory import Step
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition
from longtrail.web.world import World

CLICKS = 10
WHOLE = 2_000_000
"""Tokens: whole pages are observed, as BrowserGym's are."""


async def page(request: Request) -> Response:
    return HTMLResponse(html(request.path_params["size"]))


@dataclass
class Orders:
    """The pages as a site."""

    name: str = "orders"
    hosts: tuple[str, ...] = ("orders.test",)
    app: ASGIApp = field(default_factory=lambda: Starlette(routes=[Route("/{size}", page)]))

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        db.execute("CREATE TABLE visits (id INTEGER PRIMARY KEY)")


class Bench:
    """One browser, a new world and session for each episode; the last one stays open until the next one begins."""

    def __init__(self) -> None:
        self._web = SealedWeb([Orders()]).start()
        self._browser = Browser()
        self._number = 0
        self._url_policy = UrlPolicy(self._web.hosts)
        self._opened: tuple[World, Session] | None = None

    def _open(self, size: str, shots: bool) -> Session:
        self._leave()
        self._number += 1
        world = self._web.open_world(f"world-{self._number}")
        settings = _settings(shots)
        session = self._browser.session(world, self._web.proxy(world), url_policy=self._url_policy, settings=settings)
        self._opened = world, session
        session.goto(f"https://orders.test/{size}")
        return session

    def _leave(self) -> None:
        opened, self._opened = self._opened, None
        if opened:
            world, session = opened
            session.close()
            world.close()

    def bare(self, size: str, times: int) -> list[float]:
        """The time of Playwright alone with this browser: open a context, load its page, close the context."""
        self._leave()
        engine, world = self._browser.engine, self._web.open_world("bare")
        proxy: Any = self._web.proxy(world)

        async def once() -> None:
            context = await (await engine.browser()).new_context(proxy=proxy)
            page = await context.new_page()
            await page.goto(f"https://orders.test/{size}")
            await context.close()

        try:
            return [_timed(lambda: engine.call(once(), 30)) for _ in range(times)]
        finally:
            world.close()

    def open(self, size: str, times: int) -> list[float]:
        """Close the old episode, open a new world and context, and load its first page."""
        return [_timed(lambda: self._open(size, shots=True)) for _ in range(times)]

    def reset(self, size: str, times: int) -> list[float]:
        """The same, and observe the first page with its labelled screenshot."""
        return [_timed(lambda: self._open(size, shots=True).observe()) for _ in range(times)]

    def step(self, size: str, times: int, shots: bool = True) -> list[float]:
        session = self._open(size, shots)
        button = _button(session)

        def work() -> None:
            session.act(Click(id=button))
            session.observe()

        return [_timed(work) for _ in range(times)]

    def text_step(self, size: str, times: int) -> list[float]:
        return self.step(size, times, shots=False)

    def episode(self, size: str, times: int) -> list[float]:
        return [_timed(lambda: self._episode(size)) for _ in range(times)]

    def _episode(self, size: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            session = self._open(size, shots=True)
            button = _button(session)
            view = session.observe()
            steps = []
            for number in range(1, CLICKS + 1):
                action = Click(id=button)
                outcome = session.act(action)
                steps.append(
                    Step(number=number, phase="main", observation=view.observation, action=action, outcome=outcome)
                )
                view = session.observe()
                Path(folder, f"{number}.jpg").write_bytes(view.image or b"")
            Path(folder, "episode.jsonl").write_text("\n".join(step.model_dump_json() for step in steps))

    def close(self) -> None:
        self._leave()
        self._browser.close()
        self._web.stop()


def _settings(shots: bool) -> ViewSettings:
    return ViewSettings(screenshot=shots, tokens=WHOLE)


def _button(session: Session) -> str:
    found = re.search(r'\[(\d+)\] button "Hold 3"', session.observe().text)
    assert found
    return found[1]


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    bench = Bench()
    for line in sys.stdin:
        order = json.loads(line)
        work = {
            "bare": bench.bare,
            "open": bench.open,
            "reset": bench.reset,
            "step": bench.step,
            "text-step": bench.text_step,
            "episode": bench.episode,
        }[order["do"]]
        seconds = work(order["size"], order["times"])
        print(json.dumps({"seconds": seconds}), flush=True)
    bench.close()


if __name__ == "__main__":
    main()
