"""BrowserGym's side of the comparison: a process that executes commands from standard input, one JSON line each.

    {"do": "reset" | "step" | "episode", "size": "small", "shipped": true, "times": 3}  ->  {"seconds": [...]}

Runs in the environment of browsergym-core; of this project, only the pages are imported.
"""

import gzip
import json
import os
import pickle
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import playwright.sync_api
from browsergym_pages import html

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]
CLICKS = 10


class Pages(BaseHTTPRequestHandler):
    """The pages, without the delays of the standard server's defaults."""

    disable_nagle_algorithm = True
    wbufsize = -1

    def do_GET(self) -> None:
        body = html(self.path.strip("/")).encode() if self.path.strip("/") in ("small", "medium", "large") else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """No log."""


def patched_launch() -> None:
    """BrowserGym can't be told which browser to use for both of those that it starts."""
    launch = playwright.sync_api.BrowserType.launch

    def with_ours(self: Any, **given: Any) -> Any:
        given["executable_path"] = os.environ["LONGTRAIL_CHROMIUM"]
        given["args"] = [*(given.get("args") or []), *ARGUMENTS]
        return launch(self, **given)

    playwright.sync_api.BrowserType.launch = with_ours  # type: ignore[method-assign]


def environment(address: str, shipped: bool) -> Any:
    from browsergym.core.env import BrowserEnv
    from browsergym.core.task import AbstractBrowserTask

    class Orders(AbstractBrowserTask):
        @classmethod
        def get_task_id(cls) -> str:
            return "orders"

        def setup(self, page: Any) -> tuple[str, dict[str, Any]]:
            page.goto(address)
            return "Hold the orders.", {}

        def validate(self, page: Any, chat_messages: Any) -> tuple[float, bool, str, dict[str, Any]]:  # noqa: ARG002
            return 0.0, False, "", {}

        def teardown(self) -> None:
            """Nothing to clean up."""

    quick = {} if shipped else {"slow_mo": 0, "pre_observation_delay": 0.0}
    return BrowserEnv(task_entrypoint=Orders, headless=True, **quick)


def keep(obs: dict[str, Any], folder: Path, number: int) -> None:
    """What AgentLab does with an observation: texts, marked screenshot, everything saved."""
    from browsergym.utils.obs import flatten_axtree_to_str, flatten_dom_to_str, overlay_som, prune_html
    from PIL import Image

    obs = dict(obs)
    dom = flatten_dom_to_str(obs.pop("dom_object"))
    texts = [dom, prune_html(dom), flatten_axtree_to_str(obs.pop("axtree_object"))]
    marked = overlay_som(obs["screenshot"], extra_properties=obs["extra_element_properties"])
    for name, picture in (("plain", obs.pop("screenshot")), ("som", marked)):
        Image.fromarray(picture).save(folder / f"{number}-{name}.png")
    with gzip.open(folder / f"{number}.pkl.gz", "wb") as file:
        pickle.dump((obs, texts), file)


def button(obs: dict[str, Any], number: int) -> str:
    """The id of the button of row `number`."""
    nodes = obs["axtree_object"]["nodes"]
    names = (f"Hold {number}", f"Held {number}")
    return str(
        next(n["browsergym_id"] for n in nodes if n["role"]["value"] == "button" and n["name"]["value"] in names)
    )


class Bench:
    """One environment at a time."""

    def __init__(self, root: str) -> None:
        self._root, self._env, self._which, self._obs = root, None, ("", False), dict[str, Any]()

    def _open(self, size: str, shipped: bool) -> Any:
        if self._which != (size, shipped) or self._env is None:
            self.close()
            self._env, self._which = environment(f"{self._root}/{size}", shipped), (size, shipped)
            self._obs = self._env.reset()[0]
        return self._env

    def reset(self, size: str, shipped: bool, times: int) -> list[float]:
        env = self._open(size, shipped)
        return [_timed(env.reset) for _ in range(times)]

    def step(self, size: str, shipped: bool, times: int) -> list[float]:
        env = self._open(size, shipped)
        bid = button(env.reset()[0], 3)
        return [_timed(lambda: env.step(f"click({bid!r})")) for _ in range(times)]

    def episode(self, size: str, shipped: bool, times: int) -> list[float]:
        env = self._open(size, shipped)
        return [_timed(lambda: self._episode(env)) for _ in range(times)]

    def _episode(self, env: Any) -> None:
        with tempfile.TemporaryDirectory() as folder:
            obs = env.reset()[0]
            bid = button(obs, 3)
            keep(obs, Path(folder), 0)
            for number in range(1, CLICKS + 1):
                obs = env.step(f"click({bid!r})")[0]
                keep(obs, Path(folder), number)

    def close(self) -> None:
        if self._env is not None:
            self._env.close()
            self._env = None


def _timed(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main() -> None:
    out, sys.stdout = sys.stdout, sys.stderr
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    patched_launch()
    bench = Bench(f"http://127.0.0.1:{server.server_port}")
    for line in sys.stdin:
        order = json.loads(line)
        work = {"reset": bench.reset, "step": bench.step, "episode": bench.episode}[order["do"]]
        seconds = work(order["size"], order["shipped"], order["times"])
        print(json.dumps({"seconds": seconds}), file=out, flush=True)
    bench.close()


if __name__ == "__main__":
    main()
