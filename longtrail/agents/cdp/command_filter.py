"""Command filter: the only devtools address that an agent's program gets. It passes allowed commands on to the browser.

A refused command is answered with an error that names it. `Browser.close` ends the program's connections; the browser
stays open, because what its pages show last is still to be read. What is allowed: `data/devtools_commands.yaml`.
"""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.http11 import Request, Response

from longtrail.paths import DATA
from longtrail.yaml_file import read

Command = dict[str, Any]


@cache
def _allowed() -> dict[str, frozenset[str]]:
    """The names of data/devtools_commands.yaml."""
    lists = read(dict[str, str], DATA / "devtools_commands.yaml")
    return {name: frozenset(words.split()) for name, words in lists.items()}


SCHEMES = ("http", "https", "data", "blob")
"""What may be opened, besides `about:blank`. Chromium's own pages (`chrome://crash`) and files are refused."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")


class RefusedCommand(Exception):
    """A command that is not passed on."""


def checked(command: Command, downloads: Path) -> Command:
    """The command in the form in which it is passed on. `downloads`: the folder for downloaded files. Raises
    RefusedCommand with the reason."""
    method, params = command.get("method"), command.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise RefusedCommand("a command has a method, and its parameters are an object")
    allowed = _allowed()
    known = method.partition(".")[0] in allowed["domains"] or method in allowed["methods"]
    if method in allowed["refused"] or not known:
        raise RefusedCommand("it is not among the commands that agents may use")
    if method in ("Page.navigate", "Target.createTarget"):
        _check_address(params.get("url", ""))
    if (method == "DOM.setFileInputFiles" and params.get("files")) or (
        method == "Input.dispatchDragEvent" and _of(params, "data").get("files")
    ):
        raise RefusedCommand("the case offers no files")
    if method == "Browser.setDownloadBehavior" and "downloadPath" in params:
        return {**command, "params": {**params, "downloadPath": str(downloads)}}
    return command


def _of(params: dict[str, Any], name: str) -> dict[str, Any]:
    value = params.get(name)
    return value if isinstance(value, dict) else {}


def _check_address(url: object) -> None:
    """Raises RefusedCommand for an address outside of the web. Browsers ignore line breaks, and spaces at the ends."""
    address = re.sub(r"[\t\r\n]", "", str(url)).strip("".join(map(chr, range(33)))).lower()
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1] not in SCHEMES and address not in ("about:blank", "about:srcdoc"):
        raise RefusedCommand(f"{str(url)[:200]} is no page of the web")


LISTS = ("/json", "/json/", "/json/list", "/json/list/", "/json/version", "/json/version/", "/json/protocol")
"""The addresses that describe the browser and its pages; the others of devtools' HTTP interface change something."""
REFUSED_CODE, NOT_JSON_CODE = -32_000, -32_700
"""Codes of errors, as Chromium's own."""
MAX_REPORTS = 50
CLOSE = "Browser.close"


class CommandFilter:
    """A devtools server in front of one browser. All methods run in the browser engine's loop."""

    def __init__(self, port: int, downloads: Path, report: Callable[[str], object]) -> None:
        """`port`: the browser's own. `downloads`: the folder for downloaded files. `report`: called with one line for
        each kind of refusal."""
        self._browser, self._downloads, self._report = f"127.0.0.1:{port}", downloads, report
        self._reported: set[str] = set()
        self._server: Server | None = None
        self._clients: set[ServerConnection] = set()

    async def start(self) -> int:
        """Listen; returns the port."""
        self._server = await serve(
            self._pass_on, "127.0.0.1", 0, process_request=self._describe,
            compression=None, max_size=None, ping_interval=None, close_timeout=1,
        )  # fmt: skip
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        """End all connections."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    async def _describe(self, client: ServerConnection, request: Request) -> Response | None:
        """The browser's description, with our address in place of its own; None: a websocket."""
        if "upgrade" in request.headers:
            return None
        if request.path.partition("?")[0] not in LISTS:
            return client.respond(403, "This address can't be used here.\n")
        async with httpx.AsyncClient(trust_env=False) as http:
            answer = await http.get(f"http://{self._browser}{request.path}")
        ours = "{}:{}".format(*client.local_address[:2])
        body = answer.text.replace(self._browser, ours).encode()
        headers = Headers({"Content-Type": "application/json; charset=UTF-8", "Content-Length": str(len(body))})
        return Response(answer.status_code, "", headers, body)

    async def _pass_on(self, client: ServerConnection) -> None:
        """Pass on everything between a client and the browser until one of them ends the connection."""
        assert client.request is not None
        address = f"ws://{self._browser}{client.request.path}"
        settings: dict[str, Any] = {"compression": None, "max_size": None, "ping_interval": None, "close_timeout": 1}
        self._clients.add(client)
        with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError):
            async with connect(address, proxy=None, **settings) as browser:
                answers = asyncio.create_task(_copy(browser, client))
                try:
                    await self._pass_commands(client, browser)
                finally:
                    answers.cancel()
        self._clients.discard(client)

    async def _pass_commands(self, client: ServerConnection, browser: ClientConnection) -> None:
        async for message in client:
            try:
                command = json.loads(message)
            except ValueError:
                command = None
            if not isinstance(command, dict):
                await client.send(json.dumps({"error": {"code": NOT_JSON_CODE, "message": "expected a JSON object"}}))
                continue
            about = {name: command[name] for name in ("id", "sessionId") if name in command}
            if command.get("method") == CLOSE:
                await client.send(json.dumps({**about, "result": {}}))
                await asyncio.gather(*(each.close() for each in self._clients))
                return
            try:
                passed = checked(command, self._downloads)
            except RefusedCommand as refusal:
                error = {"code": REFUSED_CODE, "message": self._refuse(str(command.get("method"))[:80], refusal)}
                await client.send(json.dumps({**about, "error": error}))
            else:
                await browser.send(message if passed is command else json.dumps(passed), text=True)

    def _refuse(self, method: str, refusal: RefusedCommand) -> str:
        """The error's text. Each kind of refusal is reported once, up to a limit."""
        line = f"{method} is refused: {refusal}"
        if line not in self._reported and len(self._reported) < MAX_REPORTS:
            self._reported.add(line)
            self._report(f"browser command {line}")
        return line


async def _copy(browser: ClientConnection, client: ServerConnection) -> None:
    """Pass on the browser's messages as they are; end the client's connection with the browser's."""
    with contextlib.suppress(ConnectionClosed):
        while True:
            await client.send(await browser.recv(decode=False), text=True)
    await client.close()
