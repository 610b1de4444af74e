"""Request: a message in the chat-completion format: text, pictures, and marks for the provider's prompt cache."""

import base64
from typing import Any

from longtrail.llm.client import Message

CACHE_MARK_FROM = 8_000
"""Minimum characters of a stable beginning that gets a cache mark, for providers that need one."""
IMAGE_TOKENS = 1_105
"""Approximate tokens of a picture of 1280 x 720 pixels: OpenAI's rule for high detail (Anthropic's gives 1,229)."""
MOST_IMAGE_TOKENS = 2_300
"""The same for the models that count most: gpt-4.1-nano takes 2,263 (2.46 for each of 920 squares of 32 pixels)."""
MESSAGE_TOKENS = 10
"""At most so many tokens separate a message from the next."""


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
