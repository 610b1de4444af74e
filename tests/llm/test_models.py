"""What is known of a model before it is called: provider, key, existence, prices."""

import pytest

from longtrail.errors import UsageError
from longtrail.llm.models import facts, is_private, missing_key, parse_args, provider_of, validate
from tests.tables import tables_of

TABLES = tables_of(__file__)

LOCAL = {"api_base": "http://127.0.0.1:8000/v1"}


@pytest.mark.parametrize(("model", "provider"), TABLES["provider"])
def test_provider(model: str, provider: str | None) -> None:
    assert provider_of(model) == provider


@pytest.mark.parametrize(("model", "variable"), TABLES["missing_key_names_the_variable"])
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


@pytest.mark.parametrize(("model", "temperature", "thinks"), TABLES["temperature_and_thinking"])
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


@pytest.mark.parametrize(("address", "private"), TABLES["private_addresses"])
def test_private_addresses(address: str, private: bool) -> None:
    assert is_private(address) is private


def test_a_misspelt_model_without_a_key_gets_a_hint() -> None:
    problem = missing_key("gpt-41", {}, {}) or ""
    assert "did you mean gpt-4.1" in problem
    assert "longtrail mock-model" in problem
    assert "did you mean" not in (missing_key("gpt-4.1", {}, {}) or "")
