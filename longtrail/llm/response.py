"""Response: converts litellm's response to a Reply or a Failure."""

from typing import Any

from longtrail.llm.client import Message, Reply
from longtrail.llm.failure import Failure
from longtrail.llm.tokens import count
from longtrail.records.trajectory import Usage

TRUNCATED_SHARE = 0.75
"""If the server read less than this share of our token count, it cut the prompt; tokenizers differ by less on prose.
"""
TRUNCATED_FROM = 2_000
"""Shorter prompts (tokens by our count) are not checked."""


def read(
    response: Any, messages: tuple[Message, ...], model: str, usd: float | None, seconds: float
) -> Reply | Failure:
    """A Reply; a Failure for an empty answer or if the prompt was cut."""
    if not getattr(response, "choices", None):
        return _garbage(model, "an answer without choices", usd)
    choice = response.choices[0]
    usage = _usage(response, usd)
    if cut := _cut(usage, messages, model):
        return cut
    text, refusal = choice.message.content or "", _refusal(choice.message)
    reason = str(choice.finish_reason or "stop")
    if refusal or reason in ("content_filter", "refusal"):
        text, reason = refusal or text, "refusal"
    elif not text.strip() and reason != "length":
        return _garbage(model, "an answer without content", usd)
    reported = str(response.model or "")
    return Reply(text=text, usage=usage, model=reported, finish_reason=reason, seconds=seconds)


def _usage(response: Any, usd: float | None) -> Usage:
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    told = (
        getattr(usage, "prompt_tokens", 0),
        getattr(details, "cached_tokens", 0),
        getattr(usage, "completion_tokens", 0),
    )
    prompt, cached, completion = (max(0, tokens or 0) for tokens in told)  # token counts can't be negative
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


def _garbage(model: str, what: str, usd: float | None) -> Failure:
    return Failure("llm_server", f"the server of model {model!r} sent {what}", again=True, usd=usd)
