"""What is known of a model before it is called: provider, key, existence, prices."""

import pytest

from longtrail.errors import UsageError
from longtrail.llm.models import facts, is_private, missing_key, parse_args, provider_of, validate

LOCAL = {"api_base": "http://127.0.0.1:8000/v1"}


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("gpt-4o", "openai"),
        ("openai/gpt-4.1", "openai"),
        ("o3-mini", "openai"),
        ("gpt-77-turbo", "openai"),
        ("claude-sonnet-4-5", "anthropic"),
        ("gemini/gemini-2.5-pro", "gemini"),
        ("gemini-2.5-pro", "vertex_ai"),
        ("azure/my-own-deployment", "azure"),
        ("openrouter/qwen/qwen3-235b-a22b", "openrouter"),
        ("ollama/llama3", "ollama"),
        ("us.anthropic.claude-3-5-sonnet-20240620-v1:0", "bedrock"),
        ("no-such-model", None),
        ("nobody/model", None),
    ],
)
def test_provider(model: str, provider: str | None) -> None:
    assert provider_of(model) == provider


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("gpt-4.1", "OPENAI_API_KEY"),
        ("o3", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("azure/x", "AZURE_API_KEY"),
        ("openrouter/qwen/qwen3-235b-a22b", "OPENROUTER_API_KEY"),
        ("bedrock/anthropic.claude-3-5-sonnet-20240620-v1:0", "AWS_ACCESS_KEY_ID"),
        ("vertex_ai/gemini-2.5-pro", "GOOGLE_APPLICATION_CREDENTIALS"),
    ],
)
def test_missing_key_names_the_variable(model: str, variable: str) -> None:
    line = missing_key(model, {}, {})
    assert line
    assert variable in line
    assert "\n" not in line
    assert missing_key(model, {variable: "x"}, {}) is None
    assert missing_key(model, {variable: ""}, {}), "an empty variable is none"


def test_nothing_is_missing_where_no_key_is_needed() -> None:
    assert missing_key("ollama/llama3", {}, {}) is None
    assert missing_key("openai/anything", {}, LOCAL) is None
    assert missing_key("openai/anything", {}, {"api_base": "https://models.example.com/v1"})
    assert missing_key("openai/anything", {}, {"api_base": "https://models.example.com/v1", "api_key": "k"}) is None
    assert missing_key("bedrock/x", {}, {"aws_region_name": "eu-west-1"}) is None


@pytest.mark.parametrize("model", ["no-such-model", "nobody/model", "openai/no-such-model", "anthropic/gpt-4o"])
def test_unknown_model_is_one_line(model: str) -> None:
    with pytest.raises(UsageError) as caught:
        validate(model, {}, {})
    assert model in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_near_miss_is_corrected() -> None:
    with pytest.raises(UsageError, match=r"did you mean .*claude-sonnet-4-5"):
        validate("cluade-sonnet-4-5", {}, {})


def test_models_of_one_s_own_server_may_be_called_anything() -> None:
    assert validate("openai/scripted-careful", LOCAL, {}).listed is False
    assert validate("openai/scripted-careful", {}, {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}).provider == "openai"
    assert validate("hosted_vllm/my-model", {}, {}).provider == "hosted_vllm"


def test_facts() -> None:
    known = facts("openai/gpt-4o")
    assert known.listed
    assert known.vision
    assert known.temperature
    assert not known.thinks
    assert known.usd_per_input_token == pytest.approx(2.5e-6)
    assert known == facts("gpt-4o").model_copy(update={"name": "openai/gpt-4o"})
    assert facts("openai/scripted-careful").usd_per_input_token is None


@pytest.mark.parametrize(
    ("model", "temperature", "thinks"),
    [
        ("gpt-4.1", True, False),
        ("o3-mini", False, True),
        ("openai/gpt-5", False, True),
        ("gpt-6-sol", False, True),
        ("openai/gpt-5-chat-latest", True, True),
        ("azure/o4-mini", False, True),
        ("anthropic/claude-sonnet-4-5", True, False),
        ("anthropic/claude-opus-4-7", False, False),
        ("gemini/gemini-2.5-pro", True, True),
        ("gemini/gemini-3.7-flash", False, True),
        ("deepseek/deepseek-reasoner", True, True),
        ("openai/scripted-careful", True, False),
    ],
)
def test_temperature_and_thinking(model: str, temperature: bool, thinks: bool) -> None:
    known = facts(model)
    assert (known.temperature, known.thinks) == (temperature, thinks)


def test_arguments_are_read() -> None:
    args = parse_args(["api_base=http://h/v1?a=b", "temperature=0.5", "vision=true", "api_key=0123", "top_p=x"])
    assert args == {
        "api_base": "http://h/v1?a=b",
        "temperature": 0.5,
        "vision": True,
        "api_key": "0123",
        "top_p": "x",
    }
    with pytest.raises(UsageError, match="key=value"):
        parse_args(["temperature"])


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000/v1", True),
        ("http://10.1.2.3/v1", True),
        ("http://vllm:8000/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("", False),
    ],
)
def test_private_addresses(address: str, private: bool) -> None:
    assert is_private(address) is private


def test_a_misspelt_model_without_a_key_gets_a_hint() -> None:
    problem = missing_key("gpt-41", {}, {}) or ""
    assert "did you mean gpt-4.1" in problem
    assert "longtrail mock-model" in problem
    assert "did you mean" not in (missing_key("gpt-4.1", {}, {}) or "")
