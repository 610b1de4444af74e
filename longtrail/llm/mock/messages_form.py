"""Messages form: Anthropic's Messages API (`POST /v1/messages`) as a chat request, and a chat completion as its answer.

Answers are sent as a whole, never as events.
"""

import json
from typing import Any

PATH = "/v1/messages"
_STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}


def as_chat(body: dict[str, Any]) -> dict[str, Any]:
    """The same request in OpenAI's form. Raises ValueError for a stream."""
    if body.get("stream"):
        raise ValueError("the mock server does not stream messages")
    system = [{"role": "system", "content": body["system"]}] if body.get("system") else []
    messages = [message for turn in body["messages"] for message in _messages(turn)]
    tools = [
        {"type": "function", "function": {"name": tool["name"], "parameters": tool.get("input_schema") or {}}}
        for tool in body.get("tools") or []
    ]
    return {"model": body.get("model"), "messages": [*system, *messages], **({"tools": tools} if tools else {})}


def _messages(turn: dict[str, Any]) -> list[dict[str, Any]]:
    """A turn's text, and each of its tools' results as a message."""
    parts = turn["content"] if isinstance(turn["content"], list) else [{"type": "text", "text": turn["content"]}]
    results = [{"role": "tool", "content": part.get("content")} for part in parts if part["type"] == "tool_result"]
    texts = [part for part in parts if part["type"] == "text"]
    return [*results, *([{"role": turn["role"], "content": texts}] if texts else [])]


def as_message(reply: dict[str, Any]) -> dict[str, Any]:
    """A completion as a message; without content if it has no choice."""
    empty: dict[str, Any] = {"message": {"content": None, "refusal": None}, "finish_reason": "stop"}
    choice, usage = next(iter(reply["choices"]), empty), reply["usage"]
    text = choice["message"]["content"] or choice["message"]["refusal"]
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    for call in choice["message"].get("tool_calls", []):
        arguments = json.loads(call["function"]["arguments"])
        content.append({"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": arguments})
    return {
        "id": reply["id"],
        "type": "message",
        "role": "assistant",
        "model": reply["model"],
        "content": content,
        "stop_reason": "refusal" if choice["message"]["refusal"] else _STOP_REASONS[choice["finish_reason"]],
        "stop_sequence": None,
        "usage": {"input_tokens": usage["prompt_tokens"], "output_tokens": usage["completion_tokens"]},
    }
