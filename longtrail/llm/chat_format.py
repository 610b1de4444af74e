"""Chat format: our messages in OpenAI's chat-completion format, and litellm's responses as a Reply or a Failure."""

import base64
import contextlib
import json
import re
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from longtrail.llm.client import Message, Reply
from longtrail.llm.failures import Failure
from longtrail.llm.server_errors import chain
from longtrail.llm.tokens import count
from longtrail.records.trajectory import Usage

CACHE_MARK_FROM = 8_000
"""Minimum characters of a stable beginning that gets a cache mark, for providers that need one."""
IMAGE_TOKENS = 1_105
"""Approximate tokens of a picture of 1280 x 720 pixels: OpenAI's rule for high detail (Anthropic's gives 1,229)."""
MOST_IMAGE_TOKENS = 2_300
"""The same for the models that count most: gpt-4.1-nano takes 2,263 (2.46 for each of 920 squares of 32 pixels)."""
MESSAGE_TOKENS = 10
"""At most so many tokens separate a message from the next."""
TRUNCATED_SHARE = 0.75
"""If the server read less than this share of our token count, it cut the prompt; tokenizers differ by less on prose.
"""
TRUNCATED_FROM = 2_000
"""Shorter prompts (tokens by our count) are not checked."""
LENGTHS = ("max_tokens", "max_completion_tokens")
"""Names of the parameter for the longest answer. The second is newer; OpenAI's newest models demand it."""


@dataclass
class ServerTraits:
    """What a model's server has shown in earlier calls."""

    length_name: str = ""
    """The name of the parameter for the longest answer that it demands."""
    reported: str = ""
    """The model that it said it runs."""


def chat_message(message: Message, *, marks: bool) -> dict[str, Any]:
    """A message in OpenAI's format; with `marks`, its stable beginning is marked for the provider's prompt cache."""
    if not message.images and not (marks and message.stable >= CACHE_MARK_FROM):
        return {"role": message.role, "content": message.text}
    head = message.text[: message.stable] if marks and message.stable >= CACHE_MARK_FROM else ""
    parts: list[dict[str, Any]] = []
    if head:
        parts.append({"type": "text", "text": head, "cache_control": {"type": "ephemeral"}})
    parts.append({"type": "text", "text": message.text[len(head) :]})
    for image in message.images:
        data = base64.b64encode(image).decode("ascii")
        parts.append({"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}})
    return {"role": message.role, "content": parts}


def read_response(
    response: Any, messages: tuple[Message, ...], model: str, usd: float | None, seconds: float
) -> Reply | Failure:
    """A Reply; a Failure for an empty answer or if the prompt was cut."""
    if not getattr(response, "choices", None):
        return _garbage(model, "an answer without choices", usd)
    choice = response.choices[0]
    usage = _usage(response, usd)
    if cut := _cut(usage, messages, model):
        return cut
    message = choice.message
    text, refusal = "\n".join(filter(None, (message.content, *_calls(message)))), _refusal(message)
    reason = str(choice.finish_reason or "stop")
    if refusal or reason in ("content_filter", "refusal"):
        text, reason = refusal or text, "refusal"
    elif not text.strip() and (answer := _misplaced(message)):
        text = answer
    elif not text.strip() and reason != "length" and not getattr(message, "reasoning_content", None):
        return _garbage(model, "an answer without content", usd)
    reported = _storable(str(response.model or ""))
    return Reply(text=_storable(text), usage=usage, model=reported, finish_reason=reason, seconds=seconds)


def _misplaced(message: Any) -> str:
    """An answer that the server took for thinking: one JSON object and nothing else, so no draft within thoughts."""
    thinking = str(getattr(message, "reasoning_content", None) or "").strip()
    with contextlib.suppress(ValueError, RecursionError):
        return thinking if isinstance(json.loads(thinking, strict=False), dict) else ""
    return ""


def _storable(text: str) -> str:
    """The text without lone surrogates, which no file can hold."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _calls(message: Any) -> Iterator[str]:
    """The calls of tools in an answer, each as JSON: some servers take an action for a call."""
    for call in getattr(message, "tool_calls", None) or ():
        yield json.dumps({"name": call.function.name, "arguments": call.function.arguments})


def joined_parts(error: Exception) -> dict[str, Any] | None:
    """An answer whose content is a list of parts, with their texts joined; None if the exception has another cause.
    litellm can't read such an answer, and only its own frames still hold it."""
    for cause in chain(error):
        for frame, _ in traceback.walk_tb(cause.__traceback__):
            body = frame.f_locals.get("response_object")
            choices = body.get("choices") if isinstance(body, dict) else None
            contents = [choice["message"].get("content") for choice in choices or ()]
            if isinstance(body, dict) and any(isinstance(content, list) for content in contents):
                return {**body, "choices": [_with_joined_text(choice) for choice in body["choices"]]}
    return None


def _with_joined_text(choice: dict[str, Any]) -> dict[str, Any]:
    content = choice["message"].get("content")
    if not isinstance(content, list):
        return choice
    texts = [part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str | dict)]
    text = "".join(text for text in texts if isinstance(text, str))
    return {**choice, "message": {"role": "assistant", "content": text}}


def _usage(response: Any, usd: float | None) -> Usage:
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    counts = (
        getattr(usage, "prompt_tokens", 0),
        getattr(details, "cached_tokens", 0),
        getattr(usage, "completion_tokens", 0),
    )
    prompt, cached, completion = (max(0, tokens or 0) for tokens in counts)  # token counts can't be negative
    return Usage(calls=1, prompt_tokens=prompt, cached_tokens=cached, completion_tokens=completion, usd=usd)


def _cut(usage: Usage, messages: tuple[Message, ...], model: str) -> Failure | None:
    """Whether the server read far fewer tokens than were sent. Servers that report no counts are trusted."""
    if not usage.prompt_tokens or sum(len(message.text) for message in messages) < TRUNCATED_FROM:
        return None
    sent = sum(count(message.text, model) for message in messages)
    if sent < TRUNCATED_FROM or usage.prompt_tokens >= TRUNCATED_SHARE * sent:
        return None
    counts = f"of about {sent} prompt tokens it read {usage.prompt_tokens}"
    return Failure("llm_truncated", f"the server of model {model!r} cut the prompt: {counts}", usd=usage.usd)


def _refusal(message: Any) -> str:
    fields = getattr(message, "provider_specific_fields", None) or {}
    return str(getattr(message, "refusal", None) or fields.get("refusal") or "")


def _garbage(model: str, problem: str, usd: float | None) -> Failure:
    return Failure("llm_server", f"the server of model {model!r} sent {problem}", again=True, usd=usd)
