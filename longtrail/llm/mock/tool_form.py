"""Tool form: the scripted model's answers to a chat with tools, as agent frameworks use them. Its action becomes a
call of the tool of that name (`click`, `fill`, `decide` ...) with the tool's arguments.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from longtrail.llm.mock.json_form import fill_in
from longtrail.llm.mock.scripted_model import ScriptedAnswer


def call_tool(
    scripted: ScriptedAnswer, tools: Sequence[Mapping[str, Any]], messages: Sequence[Mapping[str, Any]]
) -> ScriptedAnswer:
    """The answer as a call, if a tool has the name of its action; otherwise unchanged."""
    offered = {tool["function"]["name"]: tool["function"].get("parameters") or {} for tool in tools}
    try:
        answer = json.loads(scripted.text)
        action = dict(answer["action"])
        form = offered[action.pop("type")]
    except (json.JSONDecodeError, KeyError, TypeError):
        return scripted
    plainest = json.loads(fill_in(form, messages))
    arguments = {name: action.get(name, value) for name, value in plainest.items()}
    name = answer["action"]["type"]
    return replace(
        scripted, text=answer.get("thought", ""), finish_reason="tool_calls", call=(name, json.dumps(arguments))
    )
