"""The mock server speaks OpenAI's chat protocol, to any client."""

import json
import threading
from typing import Any

import httpx
import pytest

from longtrail.errors import UsageError
from longtrail.llm.mock.faults import Fault, from_model
from longtrail.llm.mock.scripted_model import MODELS
from longtrail.llm.mock.server import MockServer, serve


def _ask(server: MockServer, model: str = "scripted-careful", text: str = "hello", **more: Any) -> httpx.Response:
    body = {"model": model, "messages": [{"role": "user", "content": text}], **more}
    with httpx.Client(trust_env=False) as client:
        return client.post(f"{server.url}/chat/completions", json=body, timeout=60)


def test_lists_its_models(server: MockServer) -> None:
    with httpx.Client(trust_env=False) as client:
        listed = client.get(f"{server.url}/models").json()
        assert [model["id"] for model in listed["data"]] == list(MODELS)
        assert client.get(f"{server.url}/engines").status_code == 404


def test_answers_the_same_to_the_same(server: MockServer) -> None:
    first, second = _ask(server).json(), _ask(server).json()
    assert first == second
    assert json.loads(first["choices"][0]["message"]["content"])["action"]["type"]
    assert first["usage"]["total_tokens"] == first["usage"]["prompt_tokens"] + first["usage"]["completion_tokens"]


def test_counts_tokens_and_caches_prefixes() -> None:
    text = "The history of this task is long and goes on. " * 400
    with MockServer() as server:
        first = _ask(server, text=text + "Now A.").json()["usage"]
        second = _ask(server, text=text + "Then B.").json()["usage"]
        other = _ask(server, text="Other " + text).json()["usage"]
    assert 4_000 < first["prompt_tokens"] < 4_500
    assert first["prompt_tokens_details"]["cached_tokens"] == 0
    assert 0.8 < second["prompt_tokens_details"]["cached_tokens"] / second["prompt_tokens"] <= 1
    assert other["prompt_tokens_details"]["cached_tokens"] == 0, "only a common beginning is cached"


def test_streams_the_same_text(server: MockServer) -> None:
    whole = _ask(server).json()["choices"][0]["message"]["content"]
    response = _ask(server, stream=True, stream_options={"include_usage": True})
    events = [line.removeprefix("data: ") for line in response.text.splitlines() if line]
    assert events[-1] == "[DONE]"
    chunks = [json.loads(event) for event in events[:-1]]
    deltas = [chunk["choices"][0]["delta"].get("content") or "" for chunk in chunks if chunk["choices"]]
    assert "".join(deltas) == whole
    assert chunks[-1]["usage"]["prompt_tokens"] > 0
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"


def test_calls_a_tool_where_tools_are_offered(server: MockServer) -> None:
    """It calls the tool that has its action's name, with arguments that the tool takes; also in a stream."""
    form = {"type": "object", "properties": {"answer": {"type": "string"}, "sure": {"type": "boolean"}}}
    tools = [{"type": "function", "function": {"name": name, "parameters": form}} for name in ("look", "finish")]
    choice = _ask(server, "scripted-finisher", tools=tools).json()["choices"][0]
    (called,) = choice["message"]["tool_calls"]
    assert choice["finish_reason"] == "tool_calls"
    assert called["function"]["name"] == "finish"
    assert json.loads(called["function"]["arguments"]).keys() == {"answer", "sure"}
    streamed = _ask(server, "scripted-finisher", tools=tools, stream=True).text
    assert called["function"]["arguments"] in [
        call["function"]["arguments"]
        for line in streamed.splitlines()
        if line.startswith("data: {")
        for call in json.loads(line.removeprefix("data: "))["choices"][0]["delta"].get("tool_calls", [])
    ]
    text = _ask(server, "scripted-finisher", tools=tools[:1]).json()["choices"][0]["message"]
    assert "tool_calls" not in text


def test_answers_in_anthropics_form(server: MockServer) -> None:
    """A text, a tool's call, and a chat that goes on with the tool's result."""
    address = f"{server.url}/messages"
    question = {"role": "user", "content": "hello"}
    body = {"model": "scripted-finisher", "max_tokens": 9, "system": "rules", "messages": [question]}
    with httpx.Client(trust_env=False) as client:
        text = client.post(address, json=body).json()
        assert (text["type"], text["stop_reason"], text["content"][0]["type"]) == ("message", "end_turn", "text")
        assert text["usage"]["input_tokens"] > 0
        tool = {"name": "finish", "input_schema": {"type": "object", "properties": {"answer": {"type": "string"}}}}
        called = client.post(address, json={**body, "tools": [tool]}).json()
        assert called["stop_reason"] == "tool_use"
        use = called["content"][-1]
        assert (use["name"], use["input"].keys()) == ("finish", {"answer"})
        result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use["id"], "content": "the page"}]}
        again = client.post(address, json={**body, "messages": [question, result]})
        assert again.status_code == 200
        assert [asked.body["messages"][-1]["role"] for asked in server.requests[-3:]] == ["user", "user", "tool"]
        assert client.post(address, json={**body, "stream": True}).status_code == 400


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"model": 3}', b'{"model": "scripted-careful"}', b"\xff"])
def test_a_body_that_is_no_request(server: MockServer, body: bytes) -> None:
    with httpx.Client(trust_env=False) as client:
        response = client.post(f"{server.url}/chat/completions", content=body, timeout=60)
    assert response.status_code in (400, 404)
    assert response.json()["error"]["message"]


def test_an_unknown_model_lists_the_known_ones(server: MockServer) -> None:
    response = _ask(server, "gpt-4o")
    assert response.status_code == 404
    assert "scripted-looper" in response.json()["error"]["message"]


def test_faults_by_name() -> None:
    assert from_model("scripted-careful") == ("scripted-careful", None)
    assert from_model("m@reset") == ("m", Fault("reset"))
    assert from_model("m@server_error=503:2") == ("m", Fault("server_error", "503", 2))
    assert from_model("m@rate_limit=ms=1500:1") == ("m", Fault("rate_limit", "ms=1500", 1))
    with pytest.raises(UsageError, match="rate_limit"):
        from_model("m@earthquake")


def test_faults_are_played_so_often_and_written_down() -> None:
    with MockServer(faults=[Fault("server_error", "502", 2), Fault("html", times=1)]) as server:
        statuses = [_ask(server).status_code for _ in range(4)]
        named = [_ask(server, "scripted-looper@not_found:1").status_code for _ in range(2)]
        assert statuses == [502, 502, 200, 200]
        assert named == [404, 200]
        assert [asked.fault for asked in server.requests] == [
            "server_error",
            "server_error",
            "html",
            "",
            "not_found",
            "",
        ]


def test_two_servers_can_t_share_a_port(server: MockServer) -> None:
    port = int(server.url.split(":")[2].partition("/")[0])
    with pytest.raises(UsageError, match=str(port)):
        MockServer(port)


def test_many_at_once(server: MockServer) -> None:
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(_ask(server).status_code)) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [200] * 12


def test_serve_says_how_to_use_it() -> None:
    said: list[str] = []

    def stop_after_two_lines(line: str) -> None:
        said.append(line)
        if len(said) == 2:
            raise KeyboardInterrupt

    serve(say=stop_after_two_lines)
    address = said[1].rpartition("api_base=")[2]
    assert "pytest evals --sample 3 --model openai/scripted-careful" in said[1]
    with httpx.Client(trust_env=False) as client, pytest.raises(httpx.ConnectError):
        client.get(f"{address}/models")
