"""Pages of a user's own app that use websockets: the app's own are passed on, all others are refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.open_app import OpenApp
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.tasks.app_task import AppTask
from longtrail.web.own_web import OwnWeb
from tests.made import play_case
from tests.serving import certificate_for, serving

pytest.importorskip("websockets")
PAGE = """<!doctype html><title>Chat</title><h1>Chat</h1><p id="own">waiting</p><p id="other">waiting</p>
<button onclick="talk()">Send</button><script>
function talk() {
  const own = new WebSocket(`${location.origin.replace("http", "ws")}/talk`);
  own.onopen = () => own.send("x".repeat(200000));
  own.onmessage = (event) => { document.getElementById("own").textContent = event.data; };
}
const other = new WebSocket("OTHER");
other.onopen = () => { document.getElementById("other").textContent = "other is open"; };
other.onerror = () => { document.getElementById("other").textContent = "other is refused"; };
</script>"""


class Chat:
    """An app that answers over a websocket, and one that no task names."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.other: list[str] = []
        self.resets = 0

    def app(self, elsewhere: str) -> Starlette:
        async def page(_: object) -> HTMLResponse:
            return HTMLResponse(PAGE.replace("OTHER", elsewhere.replace("http", "ws") + "/talk"))

        async def talk(one: WebSocket) -> None:
            await one.accept()
            async for text in one.iter_text():
                self.heard.append(len(text))
                await one.send_text(f"heard {len(text)} letters")

        async def reset(_: object) -> JSONResponse:
            self.resets += 1
            return JSONResponse({})

        async def state(_: object) -> JSONResponse:
            return JSONResponse({"heard": self.heard})

        plain = [Route("/", page), Route("/reset", reset, methods=["POST"]), Route("/state", state)]
        return Starlette(routes=[*plain, WebSocketRoute("/talk", talk)])

    def stranger(self) -> Starlette:
        async def talk(one: WebSocket) -> None:
            self.other.append(str(one.url))
            await one.accept()

        return Starlette(routes=[WebSocketRoute("/talk", talk)])


@pytest.fixture(params=["http", "https"])
def chat(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Chat, str]]:
    """By HTTP, and by HTTPS with a certificate of an unknown authority."""
    chat, ws = Chat(), "websockets-sansio"
    certificate = certificate_for("127.0.0.1", tmp_path) if request.param == "https" else None
    with serving(chat.stranger(), certificate, ws) as other, serving(chat.app(other), certificate, ws) as address:
        yield chat, address


def test_the_apps_own_websockets_are_passed_on_and_no_others(chat: tuple[Chat, str]) -> None:
    heard, address = chat
    task = AppTask.model_validate(
        {
            "suite": "app",
            "id": "chat",
            "app": {"address": address, "reset": "POST /reset"},
            "instruction": "Send the message.",
            "key_steps": [
                {"kind": "request", "name": "opened", "method": "GET", "paths": ["/talk"], "status": "101"},
                {"kind": "text", "name": "told", "text": "heard 200000 letters"},
                {"kind": "text", "name": "refused", "text": "other is refused"},
                {"kind": "get", "name": "heard", "path": "/state", "json_path": "heard.0", "equals": 200_000},
            ],
            "reference": [{"click": {"role": "button", "name": "Send"}}, {"read": "heard 200000 letters"}],
        }
    )
    with OwnWeb() as web, Browser(ViewSettings(screenshot=False)) as browser:
        context = EpisodeContext(
            web,
            browser,
            Contender(agent="oracle"),
            app=lambda: OpenApp(task.app, address),
            settings=EpisodeSettings(shots=False),
        )
        trajectory = play_case(Case(id="chat-r0", suite="app", task="chat"), task, context)
    result = score(task, trajectory)
    assert result.outcome == "passed", (result.reason, trajectory.trouble)
    assert heard.heard == [200_000]
    assert heard.other == []
    assert heard.resets == 1
    scheme = address.partition(":")[0].replace("http", "ws")
    assert any(request.url.startswith((f"{scheme}://", address)) for request in trajectory.steps[0].requests)
