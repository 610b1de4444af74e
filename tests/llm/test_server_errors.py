"""The errors of every server in data/server_errors.yaml, through real litellm, and errors in words that it lacks."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from litellm.exceptions import APIError

from longtrail.errors import CredentialsError, HarnessTrouble, LongtrailError, UsageError
from longtrail.llm.client import Message, Reply
from longtrail.llm.failures import RetryPolicy, classify
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.faults import parse_fault
from longtrail.llm.mock.server import MockServer
from longtrail.llm.server_errors import ServerError, server_errors
from tests.llm.bench import HELLO, Bench
from tests.tables import tables_of

TABLES = tables_of(__file__)

ONCE = RetryPolicy(retries=0, rate_limit_retries=0, timeout_retries=0)
SAMPLES = [f"{name}.{kind}" for name, server in server_errors().servers.items() for kind in server.samples]
PARAMETERS = ("temperature", "max_tokens", "seed")
PAGE = "The forum says: maximum context length is 8 tokens, check your plan and billing, content policy flagged it."


@pytest.fixture(scope="module")
def playing(warm: None) -> Iterator[MockServer]:
    """A server that answers everything with its `sample`."""
    with MockServer() as server:
        yield server


def outcome(server: MockServer, model: str, text: str = "hello", **args: object) -> tuple[str, str]:
    """What a call becomes, and the message."""
    given = {"api_base": server.url, "api_key": "sk-test-1f0c", **args}
    client = LiteLLMClient(model, given, patience=ONCE)
    try:
        reply = client.complete((Message(role="system", text="Act."), Message(role="user", text=text)))
    except HarnessTrouble as trouble:
        return trouble.kind, trouble.message
    except CredentialsError as error:
        return "credentials", str(error)
    except UsageError as error:
        return "usage", str(error)
    return reply.finish_reason, reply.text


@pytest.mark.sampled(12, ci=1)
@pytest.mark.parametrize("name", SAMPLES)
def test_every_server_s_error(playing: MockServer, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "none")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "none")
    monkeypatch.setenv("AWS_REGION_NAME", "us-east-1")
    playing.sample = server_errors().sample(name)
    assert playing.sample is not None
    server, _, kind = name.partition(".")
    more = {"api_version": "2024-10-21"} if server == "azure" else {}
    became, message = outcome(playing, server_errors().servers[server].model, **more)
    assert "\n" not in message
    if kind == "refusal":
        assert became == "refusal"
        return
    expected = server_errors().kinds[kind]
    if kind == "overload" and playing.sample[0] == 429:  # to be waited for like a rate limit
        expected = server_errors().kinds["rate_limit"]
    assert became == expected.becomes
    assert became == "refusal" or expected.says in message


def test_there_are_25_servers() -> None:
    assert len(server_errors().servers) >= 25
    assert {name.partition(".")[2] for name in SAMPLES} >= set(server_errors().kinds) - {
        "no_access",
        "time_out",
        "no_completion",
    }


@pytest.mark.parametrize(("status", "words", "kind"), TABLES["other_words"])
def test_other_words(status: int, words: str, kind: str) -> None:
    assert ServerError(status, words, words).kind(PARAMETERS)[0] == kind


def test_a_quota_code_counts_only_without_a_hint_to_wait() -> None:
    used_up = ServerError(429, "x", "x", frozenset({"insufficient_quota"}))
    assert used_up.kind(())[0] == "quota"
    waiting = ServerError(429, "x", "x", frozenset({"insufficient_quota"}), headers={"Retry-After": "1"})
    assert waiting.kind(())[0] == "rate_limit"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": f"Invalid value in messages[1].content: {PAGE}", "type": "invalid_request_error"}},
        {"detail": [{"loc": ["body", "messages", 1], "msg": "value is not valid", "input": PAGE}]},
        {"error": json.dumps([{"role": "user", "content": PAGE}])},
    ],
)
def test_what_an_error_quotes_of_the_prompt_decides_nothing(playing: MockServer, body: dict[str, Any]) -> None:
    playing.sample = (400, {}, body)
    assert outcome(playing, "openai/my-model", f"Look.\n{PAGE}")[0] == "llm_server"


def test_an_address_without_v1(bench: Bench) -> None:
    address = bench.server.url.removesuffix("/v1")
    with pytest.raises(UsageError) as caught:
        bench.client(args={"api_base": address}).complete(HELLO)
    assert f"at {address}/chat/completions; most servers want --model-arg api_base={address}/v1)" in str(caught.value)


REFUSED = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."


def test_max_tokens_gets_its_newer_name_where_a_server_demands_it(bench: Bench) -> None:
    client = bench.client(f"scripted-finisher@bad_request={REFUSED.replace(':', '')}:1")
    bench.server.forget()
    for _ in range(2):
        client.complete(HELLO, max_tokens=99)
    sent = [asked.body for asked in bench.server.requests[-3:]]
    assert [body.get("max_tokens") for body in sent] == [99, None, None]
    assert [body.get("max_completion_tokens") for body in sent] == [None, 99, 99]


def test_max_completion_tokens_replaces_max_tokens(bench: Bench) -> None:
    bench.ask("scripted-finisher", max_completion_tokens=512)
    body = bench.server.requests[-1].body
    assert body["max_completion_tokens"] == 512
    assert "max_tokens" not in body
    with pytest.raises(UsageError, match="give one of them"):
        bench.client(args={"max_completion_tokens": 512, "max_tokens": 512})
    refused = "Unknown parameter max_completion_tokens"
    with pytest.raises(UsageError, match="say --model-arg max_tokens=N instead"):
        bench.ask(f"scripted-finisher@bad_request={refused}", max_completion_tokens=512)
    with pytest.raises(UsageError, match="leave out --model-arg seed"):
        bench.ask("scripted-finisher@bad_request=Unknown parameter seed", seed=7)


def answer_of(server: MockServer, message: dict[str, Any]) -> Reply:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    usage = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    server.sample = (200, {}, body)
    given: dict[str, object] = {"api_base": server.url, "api_key": "none"}
    return LiteLLMClient("openai/my-model", given, patience=ONCE).complete(HELLO)


def test_an_answer_in_parts_is_joined(playing: MockServer) -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    reply = answer_of(
        playing, {"content": [thinking, {"type": "text", "text": "one "}, {"type": "text", "text": "two"}]}
    )
    assert (reply.text, reply.finish_reason, reply.usage.prompt_tokens) == ("one two", "stop", 9)


def test_a_call_is_part_of_the_text(playing: MockServer) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "click", "arguments": '{"id": "3"}'}}
    reply = answer_of(playing, {"content": "I click.", "tool_calls": [call]})
    assert reply.text == 'I click.\n{"name": "click", "arguments": "{\\"id\\": \\"3\\"}"}'


def test_an_answer_that_only_thinks_is_the_model_s_mistake(playing: MockServer) -> None:
    assert answer_of(playing, {"content": "", "reasoning_content": "I think."}).text == ""
    draft = 'maybe {"action": {"type": "back"}}'
    assert answer_of(playing, {"content": None, "reasoning_content": draft}).text == ""
    with pytest.raises(HarnessTrouble, match="without content"):
        answer_of(playing, {"content": ""})


def test_a_page_instead_of_an_answer_is_told_without_a_made_up_status() -> None:
    """litellm says 500 where a proxy's page of log-in was answered with 200."""
    said = "Empty or invalid response from LLM endpoint. Received: '<html>Sign in</html>'"
    failure = classify(APIError(500, said, "openai", "m"), "openai/m")
    assert " answered with something else than a chat's answer;" in failure.message
    assert "500" not in failure.message


def test_an_answer_that_the_server_took_for_thinking(playing: MockServer) -> None:
    """A server's parser of thoughts, on a model that does not think."""
    answer = '{"action": {"type": "back"}}'
    assert answer_of(playing, {"content": None, "reasoning_content": f"\n{answer}"}).text == answer


def test_the_system_message_can_be_folded_into_the_first(bench: Bench) -> None:
    messages = (Message(role="system", text="Rules."), Message(role="user", text="Task."))
    bench.ask("scripted-finisher", messages, system="user")
    assert bench.server.requests[-1].body["messages"] == [{"role": "user", "content": "Rules.\n\nTask."}]
    with pytest.raises(UsageError, match="system='assistant'"):
        bench.client(args={"system": "assistant"})


def test_faults_are_named(warm: None) -> None:
    with MockServer(faults=[parse_fault("xai.overflow:1")]) as server:
        assert outcome(server, "openai/scripted-careful")[0] == "llm_context_overflow"
        assert outcome(server, "openai/scripted-finisher")[0] == "stop"
    with pytest.raises(LongtrailError, match=r"did you mean xai.overflow\?"):
        parse_fault("xai.overflo")
