"""Mock answer: what the mock server returns in OpenAI's format (whole, or as events) or as a message of Anthropic's, in
the JSON form or as the call of a tool that the request demands, and how faults change it.

Any JSON schema is filled with the simplest allowed value. Of the tools, the one with the name of the scripted action is
called (`click`, `fill`, `decide` ...).
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.scripted_model import ScriptedAnswer, answer
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


def apply_fault(fault: Fault, reply: dict[str, Any]) -> None:
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


Schema = Mapping[str, Any]
MAX_DEPTH = 12
"""Maximum depth of a schema; deeper parts are filled with null."""


def scripted_answer(model: str, body: dict[str, Any]) -> ScriptedAnswer:
    """A scripted model's answer to a request: as a call if tools are offered, in the required form if there is one."""
    scripted, schema = answer(model, body["messages"]), schema_of(body)
    if body.get("tools"):
        return call_tool(scripted, body["tools"])
    if schema is None or scripted.refusal:
        return scripted
    return ScriptedAnswer(json.dumps(simplest_value(schema, {}), ensure_ascii=False))


def schema_of(body: Mapping[str, Any]) -> Schema | None:
    """The JSON schema that a chat request demands, or None."""
    demanded = body.get("response_format")
    inner = demanded.get("json_schema") if isinstance(demanded, dict) else None
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else None


def simplest_value(schema: Schema, values: Mapping[str, str], root: Schema | None = None) -> Any:
    """The simplest value of this form; `values` go where a text of that name is wanted. `root`: the schema with the
    definitions that it refers to, if it is a part of one."""
    return _value(schema, root or schema, values)


def _value(schema: Schema, root: Schema, values: Mapping[str, str], name: str = "", depth: int = 0) -> Any:
    """The simplest value of `schema`, which is a part of `root` and the field `name` (empty: no field)."""
    form = resolved(schema, root)
    if depth > MAX_DEPTH:
        return None
    if "const" in form or "enum" in form:
        return form["const"] if "const" in form else form["enum"][0]
    if either := form.get("anyOf") or form.get("oneOf"):
        texts = [option for option in either if name in values and option.get("type") == "string"]
        return _value(
            (texts or [option for option in either if option.get("type") == "null"] or either)[0], root, values, name
        )
    kind = form.get("type")
    if kind == "object" or "properties" in form:
        properties = form.get("properties") or {}
        return {key: _value(option, root, values, key, depth + 1) for key, option in properties.items()}
    if kind == "array":
        # evidence and sources get an entry even if the schema allows none: an answer without them is of no use
        several = form.get("minItems", form.get("min_items", 0)) or name in ("evidence", "sources")
        return [_value(form.get("items") or {}, root, values, name, depth + 1)] if several else []
    if kind == "string":
        return values.get(name, form.get("default") or "")
    return {"integer": form.get("minimum", 0), "number": form.get("minimum", 0), "boolean": True}.get(str(kind))


def resolved(schema: Schema, root: Schema) -> Schema:
    """The definition that a `$ref` points to."""
    for _ in range(MAX_DEPTH):
        ref = schema.get("$ref")
        if not isinstance(ref, str):
            break
        schema = (root.get("$defs") or {}).get(ref.rpartition("/")[2], {})
    return schema


def call_tool(scripted: ScriptedAnswer, tools: Sequence[Mapping[str, Any]]) -> ScriptedAnswer:
    """The answer as a call, if a tool has the name of its action; otherwise unchanged."""
    offered = {tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools}
    try:
        given = json.loads(scripted.text)
        action = dict(given["action"])
        form = offered[action.pop("type")]
    except (json.JSONDecodeError, KeyError, TypeError):
        return scripted
    arguments = {name: action.get(name, value) for name, value in simplest_value(form, {}).items()}
    name = given["action"]["type"]
    return replace(
        scripted, text=given.get("thought", ""), finish_reason="tool_calls", call=(name, json.dumps(arguments))
    )


MESSAGES_PATH = "/v1/messages"
"""Anthropic's Messages API. Its answers are sent as a whole, never as events."""
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


def as_anthropic_message(reply: dict[str, Any]) -> dict[str, Any]:
    """A completion as a message of Anthropic's API; without content if it has no choice."""
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
