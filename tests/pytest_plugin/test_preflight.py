"""A server whose chat template drops the system message is found before the run."""

from typing import Any

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.pytest_plugin.preflight import system_problem

MODEL = "openai/my-model"


def problem(body: dict[str, Any], status: int = 200, **args: object) -> str:
    with MockServer() as server:
        server.sample = (status, {}, body)
        return system_problem(MODEL, {"api_base": server.url, **args})


def read(tokens: object) -> dict[str, Any]:
    return {"choices": [], "usage": {"prompt_tokens": tokens}}


def test_a_dropped_system_message_is_told() -> None:
    advice = "the system message: give --model-arg system=user"
    assert problem(read(14)) == f"the server of model 'openai/my-model' drops {advice}"
    refused = {"error": {"message": "System role not supported"}}
    assert problem(refused, 500) == f"the server of model 'openai/my-model' refuses {advice}"


def test_an_address_without_a_chat_is_told_although_its_status_is_200() -> None:
    error = "Unexpected endpoint or method. (POST /chat/completions)"
    with MockServer() as server:
        server.sample = (200, {}, {"error": error})
        address = server.url.removesuffix("/v1")
        told = f"--model-arg api_base={address}: the server has no chat there ({error}); most servers want {address}/v1"
        assert system_problem(MODEL, {"api_base": address}) == told


@pytest.mark.parametrize("body", [read(600), read(0), read(None), {"choices": []}, {"usage": None}])
def test_others_are_not(body: dict[str, Any]) -> None:
    assert problem(body) == ""


def test_no_call_repeats_the_one_before() -> None:
    """Servers that count only the tokens that they do not still have would seem to drop the message."""
    with MockServer() as server:
        for _ in range(2):
            system_problem("openai/scripted-careful", {"api_base": server.url})
        first, second = (request.body["messages"][0]["content"] for request in server.requests)
    assert first != second


def test_who_is_not_asked() -> None:
    assert problem(read(14), system="user") == ""
    assert system_problem(MODEL, {"api_base": "https://api.example.com/v1"}) == ""
    assert system_problem(MODEL, {"api_base": "http://127.0.0.1:9/v1"}) == "", "what is not there is told by the run"


def test_the_scripted_models_read_it() -> None:
    with MockServer() as server:
        assert system_problem("openai/scripted-careful", {"api_base": server.url}) == ""
