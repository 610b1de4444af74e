"""JSON form: the scripted model's answers to chats that require a JSON schema or offer tools.

Any schema is filled with the simplest allowed value. Of the tools, the one with the name of the scripted action is
called (`click`, `fill`, `decide` ...).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longtrail.llm.mock.scripted_model import ScriptedAnswer, answer

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
    return ScriptedAnswer(json.dumps(plainest(schema, {}), ensure_ascii=False))


def schema_of(body: Mapping[str, Any]) -> Schema | None:
    """The JSON schema that a chat request demands, or None."""
    demanded = body.get("response_format")
    inner = demanded.get("json_schema") if isinstance(demanded, dict) else None
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else None


def plainest(schema: Schema, values: Mapping[str, str], root: Schema | None = None) -> Any:
    """The plainest value of this form; `values` go where a text of that name is wanted. `root`: the schema with the
    definitions that it refers to, if it is a part of one."""
    return _value(schema, root or schema, values)


def _value(schema: Schema, root: Schema, values: Mapping[str, str], name: str = "", depth: int = 0) -> Any:
    """`plainest`, of a part of the form `root`."""
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
    arguments = {name: action.get(name, value) for name, value in plainest(form, {}).items()}
    name = given["action"]["type"]
    return replace(
        scripted, text=given.get("thought", ""), finish_reason="tool_calls", call=(name, json.dumps(arguments))
    )
