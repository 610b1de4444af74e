"""Models: what is known about a model before it is called: its provider, the key it needs, prices, whether it accepts
images. Read as data from the price table in litellm's package, because importing litellm is slow.
"""

import difflib
import importlib.util
import ipaddress
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from longtrail.errors import UsageError
from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.yaml_file import read


class Provider(Record):
    """What is known about a provider. data/providers.yaml explains the fields."""

    keys: tuple[str, ...] = ()
    arguments: str = ""
    local: bool = False
    json_mode: bool = False
    models: str = ""
    same_as: str = ""


@cache
def providers() -> dict[str, Provider]:
    """The providers of data/providers.yaml by name."""
    return read(dict[str, Provider], DATA / "providers.yaml")


def provider_named(name: str) -> Provider:
    """A provider; of one that the file does not have, nothing is known."""
    return providers().get(name) or Provider()


@cache
def key_variables() -> frozenset[str]:
    """All environment variables that may hold a provider's key."""
    return frozenset(variable for provider in providers().values() for variable in provider.keys)


_REASONING = re.compile(r"^(o[1-9]|gpt-[5-9](?!.*chat))")
"""Name pattern of OpenAI's reasoning models, also those newer than the table."""
_ASKED_TO_THINK = re.compile(r"claude|nova")
"""Models that think only if a request says so."""
PRICES = ("input_cost_per_token", "output_cost_per_token")
"""`--model-arg` keys for the user's own prices of a model, in USD."""

_PAID = (
    "input_cost_per_token",
    "cache_creation_input_token_cost",
    "output_cost_per_token",
    "output_cost_per_reasoning_token",
)
"""Keys of litellm's table for what a text's tokens cost. The cache mark that we set is never kept for an hour."""
_VARIANT = re.compile(r"(?P<what>\w+?)(_above_(?P<above>[0-9]+)k_tokens)?(_priority)?")


class ModelFacts(Record):
    """What litellm's table says about a model."""

    name: str
    provider: str
    listed: bool
    """Whether it is in the table; if not, the rest is unknown."""
    vision: bool = False
    temperature: bool = True
    """Whether it accepts a temperature. OpenAI's reasoning models don't, nor do the newest models of other providers.
    """
    thinks: bool = False
    """Whether it thinks before it answers, in tokens that count as output."""
    usd_per_input_token: float | None = None
    usd_per_cached_token: float | None = None
    usd_per_output_token: float | None = None


def facts(model: str) -> ModelFacts:
    """What is known about a model, without a network and without litellm."""
    bare, provider = model.rsplit("/", 1)[-1], provider_of(model) or ""
    entry = _entry(model)
    entry_facts, reasoning = entry or {}, bool(_REASONING.match(bare))
    return ModelFacts(
        name=model,
        provider=provider,
        listed=entry is not None,
        vision=bool(entry_facts.get("supports_vision")),
        temperature=not reasoning and entry_facts.get("supports_sampling_params") is not False,
        thinks=reasoning or (bool(entry_facts.get("supports_reasoning")) and not _ASKED_TO_THINK.search(bare)),
        usd_per_input_token=entry_facts.get("input_cost_per_token"),
        usd_per_cached_token=entry_facts.get("cache_read_input_token_cost"),
        usd_per_output_token=entry_facts.get("output_cost_per_token"),
    )


def provider_of(model: str) -> str | None:
    """`openai` for `openai/gpt-4o` and `gpt-4o`; None if unknown."""
    prefix, slash, _ = model.partition("/")
    if slash and prefix in _provider_names():
        return provider_named(prefix).same_as or prefix
    entry = _table().get(model)
    if entry is not None:
        listed = str(entry.get("litellm_provider", ""))
        return "vertex_ai" if listed.startswith("vertex_ai") else provider_named(listed).same_as or listed
    if slash:
        return None
    own = ((name, provider.models) for name, provider in providers().items() if provider.models)
    return next((name for name, models in own if re.match(models, model, re.IGNORECASE)), None)


def missing_key(
    model: str, env: Mapping[str, str], args: Mapping[str, object], option: str = "--model-arg"
) -> str | None:
    """One line that says which environment variable the model's provider needs; None if nothing is missing.

    A server on this machine or in a private network (`api_base`) and a given `api_key` need none.
    """
    provider = provider_named(provider_of(model) or "")
    wanted, prefix = provider.keys, provider.arguments
    if not wanted or args.get("api_key") or any(name.startswith(prefix) for name in args if prefix):
        return None
    if is_private(str(args.get("api_base", ""))) or any(env.get(name) for name in wanted):
        return None
    alternatives = f" (or {' or '.join(wanted[1:3])})" if wanted[1:] else ""
    spelling = "" if facts(model).listed else _nearest(model)
    return (
        f"model {model!r}{spelling} needs an API key: set {wanted[0]}{alternatives} in the environment, or give "
        f"{option} api_base; `longtrail mock-model` serves a model that needs none"
    )


def validate(model: str, args: Mapping[str, object], env: Mapping[str, str] = os.environ) -> ModelFacts:
    """The model's facts. Raises UsageError, in one line, for a name that no provider has. On the user's own server
    (`api_base`, or OpenAI's variables for it), models can have any name.
    """
    provider = provider_of(model)
    if provider is None:
        prefix, slash, _ = model.partition("/")
        reason = f"{prefix!r} is not a provider that litellm knows" if slash else "no provider is known for it"
        raise UsageError(f"unknown model {model!r}: {reason}{_nearest(model)}; write it as provider/model")
    model_facts, family = facts(model), provider_named(provider).models
    bare = model.rsplit("/", 1)[-1]
    base_url = args.get("api_base") or env.get("OPENAI_API_BASE") or env.get("OPENAI_BASE_URL")
    if family and not model_facts.listed and not base_url and not re.match(family, bare, re.IGNORECASE):
        raise UsageError(f"unknown model {model!r}: {provider} has no {bare!r}{_nearest(model)}")
    return model_facts


def usd_per_token(model_facts: ModelFacts, args: Mapping[str, object]) -> tuple[float, float] | None:
    """Prices of prompt and answer tokens: the user's own (PRICES), otherwise the table's; None if unknown."""
    if all(price in args for price in PRICES):
        return float(str(args[PRICES[0]])), float(str(args[PRICES[1]]))
    if model_facts.usd_per_input_token is None or model_facts.usd_per_output_token is None:
        return None
    return model_facts.usd_per_input_token, model_facts.usd_per_output_token


def highest_usd_per_token(
    model_facts: ModelFacts, args: Mapping[str, object], tokens: int
) -> tuple[float, float] | None:
    """The most that a call with so many prompt tokens can cost: the user's own prices, otherwise the highest that the
    table has for writing to the cache, for long prompts, for priority and for thinking; None if unknown."""
    prices = usd_per_token(model_facts, args)
    if prices is None or all(price in args for price in PRICES):
        return prices
    most = dict.fromkeys(_PAID, 0.0)
    for key, value in (_entry(model_facts.name) or {}).items():
        price = _VARIANT.fullmatch(key)
        if price and price["what"] in most and int(price["above"] or 0) * 1000 <= tokens and value:
            most[price["what"]] = max(most[price["what"]], float(value))
    read, written, written_price, thought = most.values()
    return max(read, written), max(written_price, thought)


def parse_args(pairs: Iterable[str]) -> dict[str, object]:
    """Parse several `--model-arg key=value`: numbers, true, false, null and JSON are parsed, the rest is text."""
    args: dict[str, object] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.isidentifier():
            raise UsageError(f"--model-arg {key!r}: expected key=value")
        try:
            args[key] = value if key in ("api_key", "api_base", "api_version") else json.loads(value)
        except ValueError:
            args[key] = value
    return args


def is_private(address: str) -> bool:
    """Whether this is the address of a server on this machine or in a private network."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return bool(host) and "." not in host


def _nearest(model: str) -> str:
    names = [name for name, entry in _table().items() if entry.get("mode") == "chat"]
    near = difflib.get_close_matches(model, names, n=3, cutoff=0.75)
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def _entry(model: str) -> dict[str, Any] | None:
    """The table's entry under the full name, or under the bare name if that belongs to the same provider."""
    table, provider = _table(), provider_of(model)
    if model in table:
        return table[model]
    bare = model.partition("/")[2]
    entry = table.get(bare)
    same = entry is not None and (
        provider_of(bare) == provider or str(entry.get("litellm_provider", "")).startswith(provider or "?")
    )
    return entry if same else None


@cache
def _provider_names() -> frozenset[str]:
    listed = {str(entry.get("litellm_provider", "")) for entry in _table().values()}
    listed = {name.partition("-")[0] if name.startswith("vertex_ai") else name for name in listed}
    return frozenset(listed | providers().keys())


@cache
def _table() -> dict[str, dict[str, Any]]:
    """litellm's prices and context windows, by model; empty if the package lacks them."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return {}
    file = Path(spec.origin).parent / "model_prices_and_context_window_backup.json"
    table = json.loads(file.read_bytes()) if file.is_file() else {}
    table.pop("sample_spec", None)
    return dict(table)
