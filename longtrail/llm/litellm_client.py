"""The litellm client: any provider's model behind `ModelClient`. litellm is imported by the first call, not before.

Only this module retries. There are no fallbacks, no trimming and no dropped parameters: requests are sent unchanged,
and failures are reported. Only `max_tokens` gets its newer name where a server demands that. The temperature is 0,
except for models that don't accept one.
"""

import gc
import logging
import os
import random
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import ValidationError

from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.call_attempt import CallAttempt, attempt
from longtrail.llm.chat_format import (
    IMAGE_TOKENS,
    LENGTHS,
    MESSAGE_TOKENS,
    MOST_IMAGE_TOKENS,
    ServerTraits,
    chat_message,
    joined_parts,
    read_response,
)
from longtrail.llm.client import Message, Reply
from longtrail.llm.failures import Failure, RetryPolicy, classify
from longtrail.llm.limits import CallEnd, Limiter
from longtrail.llm.models import PRICES, facts, highest_usd_per_token, is_private, provider_named
from longtrail.llm.secrets import is_secret, keep_secret, redact
from longtrail.llm.tokens import at_most, count
from longtrail.records.trajectory import Usage

CLIENT_ARGS = frozenset(
    {"vision", "json_mode", "stream", "temperature", "system", *LENGTHS, *PRICES, *RetryPolicy.model_fields}
)
"""`--model-arg` keys that this module uses; all others are passed to litellm."""
FORBIDDEN = frozenset(
    {"model", "messages", "n", "stream_options", "timeout", "max_retries", "num_retries", "fallbacks", "drop_params"}
    | {"context_window_fallback_dict", "content_policy_fallbacks", "mock_response", "caching", "cache"}
)
"""`--model-arg` keys that would change, hide or repeat what is measured."""
REASONING_TOKENS = 8_000
"""Tokens for thinking in addition to `max_tokens`, for models that count them as output."""


class LiteLLMClient:
    """One model, for any number of threads. `args` are the parsed `--model-arg`s; tests give `sleep` and `chance`."""

    def __init__(
        self,
        model: str,
        args: Mapping[str, object] | None = None,
        *,
        patience: RetryPolicy | None = None,
        limiter: Limiter | None = None,
        traits: ServerTraits | None = None,
        sleep: Callable[[float], object] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        args = dict(args or {})
        if forbidden := sorted(FORBIDDEN & set(args)):
            raise UsageError(f"--model-arg {forbidden[0]}: Longtrail decides this itself, so that runs stay comparable")
        self._facts, self._traits = facts(model), traits or ServerTraits()
        self._settings = {key: args.pop(key) for key in sorted(CLIENT_ARGS & set(args))}
        self._extra = args
        self.name, self.vision = model, bool(self._settings.get("vision", self._facts.vision))
        keep_secret(
            *(str(value) for key, value in args.items() if is_secret(key, value))
        )  # servers repeat rejected values
        self._length_name, self._longest = self._length()
        if self._settings.get("system", "user") != "user":
            raise UsageError(f"--model-arg system={self._settings['system']!r}: expected user, or nothing")
        times = {key: value for key, value in self._settings.items() if key in RetryPolicy.model_fields}
        try:
            self._patience = RetryPolicy.model_validate({**(patience or RetryPolicy()).model_dump(), **times})
        except ValidationError as error:
            problem = error.errors(include_url=False)[0]
            raise UsageError(f"--model-arg {problem['loc'][0]}={problem['input']!r}: {problem['msg']}") from error
        self._sleep = sleep or (limiter.sleep if limiter else time.sleep)
        self._chance, self._limiter = chance, limiter

    def _length(self) -> tuple[str, int | None]:
        """The parameter for the longest answer, and the user's value."""
        given = [name for name in LENGTHS if name in self._settings]
        if len(given) > 1:
            raise UsageError(f"--model-arg {given[0]} and {given[1]} mean the same: give one of them")
        longest = self._settings[given[0]] if given else None
        if longest is not None and (not isinstance(longest, int) or isinstance(longest, bool) or longest < 1):
            raise UsageError(f"--model-arg {given[0]}={longest!r}: expected a positive whole number")
        return (given or LENGTHS)[0], longest

    def prepare(self) -> None:
        """Import what calls need. It takes seconds, which are no part of an episode's time."""
        import_litellm()

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion.

        Raises HarnessTrouble after all retries, and CredentialsError or UsageError for what no retry can fix.
        """
        if any(message.images for message in messages) and not self.vision:
            raise UsageError(
                f"model {self.name!r} is not known to accept images; if it does, give --model-arg vision=true"
            )
        longest = self._longest or max_tokens + (REASONING_TOKENS if self._facts.thinks else 0)
        messages = _without_system(messages) if "system" in self._settings else messages
        tries, streamed = 0, self._settings.get("stream") is True
        while True:
            tries += 1
            with self._admitted(longest, messages) as end:
                result = self._try(self._request(messages, longest, json), messages, streamed)
                end.succeeded = isinstance(result, Reply)
                end.usd = result.usage.usd if isinstance(result, Reply) else result.usd
                if isinstance(result, Failure) and result.kind == "llm_rate_limit":
                    end.limited, end.retry_after = True, self._patience.requested_wait(result.headers)
            if isinstance(result, Reply):
                return result
            if result.parameter == LENGTHS[0]:
                self._traits.length_name = LENGTHS[1]
                continue
            if not result.again or tries > self._patience.retries_of(result.kind):
                raise result.error(tries)
            streamed = streamed and not result.whole_again
            self._sleep(self._patience.wait(tries, result.headers, self._chance()))

    def _admitted(self, answer: int, messages: tuple[Message, ...]) -> AbstractContextManager[CallEnd]:
        """Wait for the run's limits, where it has any. `answer`: the most tokens of the answer."""
        if self._limiter is None:
            return nullcontext(CallEnd())
        text = sum(count(message.text, self.name) for message in messages)
        images = sum(len(message.images) for message in messages)
        most = at_most(text, self.name) + MESSAGE_TOKENS * len(messages) + MOST_IMAGE_TOKENS * images
        prices = highest_usd_per_token(self._facts, self._settings, most)
        worst = 0.0 if prices is None else prices[0] * most + prices[1] * answer
        return self._limiter.admit(self.name, text + IMAGE_TOKENS * images + answer, worst)

    def _request(self, messages: tuple[Message, ...], longest: int, json: bool) -> dict[str, Any]:
        """The keyword arguments of litellm.completion."""
        model_facts = self._facts
        provider, own_server = provider_named(model_facts.provider), is_private(str(self._extra.get("api_base", "")))
        unlisted = "/" not in self.name and model_facts.provider and not model_facts.listed
        request: dict[str, Any] = {
            "model": f"{model_facts.provider}/{self.name}" if unlisted else self.name,
            "messages": [chat_message(message, marks="claude" in self.name.lower()) for message in messages],
            self._traits.length_name or self._length_name: longest,
            "max_retries": 0,
            "num_retries": 0,
        }
        temperature = self._settings.get("temperature", 0.0 if model_facts.temperature else None)
        if temperature not in (None, "none"):
            request["temperature"] = temperature
        if json and self._settings.get("json_mode", model_facts.listed and provider.json_mode):
            request["response_format"] = {"type": "json_object"}
        if own_server and not provider.local and not any(os.environ.get(name) for name in provider.keys):
            request["api_key"] = "none"
        return {**request, **self._extra}

    def _try(self, request: dict[str, Any], messages: tuple[Message, ...], streamed: bool) -> Reply | Failure:
        """One try within its time limit."""
        form = {"stream": True, "stream_options": {"include_usage": True}} if streamed else {}

        async def call(made: CallAttempt) -> Any:
            response = await litellm.acompletion(**request, **form, timeout=self._timeout())
            return _join(litellm, await made.read_stream(response)) if streamed else response

        litellm = import_litellm()  # before the time limit starts: the first import takes seconds
        stop = self._limiter.stop_reason if self._limiter else str
        made = attempt(call, self._patience, streamed=streamed, stop_reason=stop)
        if made.cancelled:
            raise HarnessTrouble("cancelled", made.cancelled)
        if made.late:
            return Failure("llm_timeout", f"the server of model {self.name!r} {made.late}", again=True)
        if made.error is not None and (joined := joined_parts(made.error)):
            made = replace(made, response=litellm.ModelResponse(**joined))
        elif made.error is not None:
            return self._failed(made.error, made.seconds, request, messages)
        result = read_response(made.response, messages, self.name, self._price(made.response), made.seconds)
        if isinstance(result, Failure):
            return replace(result, whole_again=streamed)  # litellm drops the text of a refusal from streams
        return self._same_model(result)

    def _timeout(self) -> Any:
        import httpx

        return httpx.Timeout(self._patience.idle, connect=self._patience.connect)

    def _failed(
        self, error: Exception, seconds: float, request: Mapping[str, Any], messages: tuple[Message, ...]
    ) -> Reply | Failure:
        prompt = "\n".join(message.text for message in messages)
        failure = classify(error, self.name, prompt, request.keys() - {"model", "messages"})
        if failure.kind == "refusal":
            model = self._traits.reported
            return Reply(text="", usage=Usage(calls=1), model=model, finish_reason="refusal", seconds=seconds)
        return replace(failure, message=redact(failure.message))

    def _same_model(self, reply: Reply) -> Reply | Failure:
        """The reply; a Failure if the server has changed the model since the last call. A case that was begun with
        another model can't be continued, but cases that begin now can be played with this one."""
        before = self._traits.reported
        self._traits.reported = reply.model or before
        if before in ("", self._traits.reported):
            return reply
        change = f"changed the model it runs from {before!r} to {reply.model!r}"
        return Failure("llm_server", f"the server of model {self.name!r} {change}", usd=reply.usage.usd)

    def _price(self, response: Any) -> float | None:
        """Cost of a call in USD: by the user's prices, otherwise by litellm's table. None if neither has the model, or
        if the server doesn't say how many tokens it read."""
        usage: Any = getattr(response, "usage", None)
        if not getattr(usage, "prompt_tokens", None):
            return None
        if all(price in self._settings for price in PRICES):
            prices = [float(str(self._settings[price])) for price in PRICES]
            return prices[0] * float(usage.prompt_tokens) + prices[1] * float(usage.completion_tokens)
        if self._facts.usd_per_input_token is None:
            return None
        try:
            price: float = import_litellm().completion_cost(completion_response=response, model=self.name)
            return price
        except Exception:  # noqa: BLE001 (litellm may raise anything for an unknown price)
            return None


def _without_system(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The system message folded into the message after it, for servers that drop it."""
    if len(messages) < 2 or messages[0].role != "system":
        return messages
    system, first, *others = messages
    head = f"{system.text}\n\n"
    stable = len(head) + first.stable
    return (first.model_copy(update={"text": head + first.text, "stable": stable}), *others)


def _join(litellm: Any, pieces: list[Any]) -> Any:
    """A streamed answer as one response, with the model name from the server (litellm stores it separately)."""
    response = litellm.stream_chunk_builder(pieces)
    response.model = (getattr(response, "_hidden_params", None) or {}).get("provider_response_model") or response.model
    return response


@cache
def import_litellm() -> Any:
    """Import litellm with its own price table, without reading a .env file, and silent (its logs contain requests)."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    collecting = gc.isenabled()
    gc.disable()  # the import creates millions of permanent objects; garbage collections meanwhile cost half a second
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import litellm
    finally:
        if collecting:
            gc.enable()
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    litellm.disable_aiohttp_transport = True  # what its errors say of a server is not httpx's
    for name in ("LiteLLM", "openai", "httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.ERROR)
    return litellm
