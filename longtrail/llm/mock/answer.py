"""Mock answer: what the mock server returns in OpenAI's format, as a whole or as events, and how faults change it."""

import hashlib
import json
from typing import Any

from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.scripted_model import ScriptedAnswer
from longtrail.llm.tokens import count

CREATED = 1_767_225_600
"""The time stamp of all answers, so that equal requests give equal bytes."""
_PIECE = 40
"""Number of characters of text per event."""


def completion(
    body: dict[str, Any], scripted: ScriptedAnswer, prompt_tokens: int, cached_tokens: int
) -> dict[str, Any]:
    """A chat completion. Its id is derived from the request."""
    name, arguments = scripted.call or ("", "")
    tokens = count(scripted.text + name + arguments or scripted.refusal) + 1
    message: dict[str, Any] = {
        "role": "assistant",
        "content": scripted.text or None,
        "refusal": scripted.refusal or None,
    }
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    if name:
        called = {"name": name, "arguments": arguments}
        message["tool_calls"] = [{"id": f"call_{digest[:24]}", "type": "function", "function": called}]
    return {
        "id": f"chatcmpl-{digest[:24]}",
        "object": "chat.completion",
        "created": CREATED,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": scripted.finish_reason, "logprobs": None}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": tokens,
            "total_tokens": prompt_tokens + tokens,
            "prompt_tokens_details": {"cached_tokens": cached_tokens},
        },
    }


def events(reply: dict[str, Any], body: dict[str, Any]) -> list[bytes]:
    """The same answer as server-sent events, the closing mark included."""
    deltas: list[dict[str, Any]] = []
    for choice in reply["choices"]:
        text, refusal = choice["message"]["content"] or "", choice["message"]["refusal"]
        deltas.append({"delta": {"role": "assistant", "content": ""}, "finish_reason": None})
        for start in range(0, len(text), _PIECE):
            deltas.append({"delta": {"content": text[start : start + _PIECE]}, "finish_reason": None})
        deltas += [{"delta": {"refusal": refusal}, "finish_reason": None}] if refusal else []
        calls = [{"index": number, **call} for number, call in enumerate(choice["message"].get("tool_calls", []))]
        deltas += [{"delta": {"tool_calls": calls}, "finish_reason": None}] if calls else []
        deltas.append({"delta": {}, "finish_reason": choice["finish_reason"]})
    head = {key: reply[key] for key in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    chunks = [{**head, "choices": [{"index": 0, **delta}]} for delta in deltas]
    if (body.get("stream_options") or {}).get("include_usage"):
        chunks.append({**head, "choices": [], "usage": reply["usage"]})
    return [*(f"data: {json.dumps(event)}\n\n".encode() for event in chunks), b"data: [DONE]\n\n"]


def spoil(fault: Fault, reply: dict[str, Any]) -> None:
    """Change the answer according to this fault; transport faults change nothing."""
    kind, value, choice = fault.kind, fault.value, reply["choices"][0]
    if kind == "wrong_model":
        reply["model"] = value or "another-model"
    elif kind == "low_usage":
        reply["usage"]["prompt_tokens"] = int(value or 10)
    elif kind == "no_choices":
        reply["choices"] = []
    elif kind == "no_content":
        choice["message"]["content"] = None
    elif kind == "length":
        choice["message"]["content"] = (choice["message"]["content"] or "")[: int(value or 20)]
        choice["finish_reason"] = "length"
    elif kind == "content_filter":
        choice["message"]["content"], choice["finish_reason"] = None, "content_filter"
