"""Tree form: the scripted model's answers to Stagehand's agents, which read a page by a tool and act by words.

Their loop offers the tools `ariaTree` (the page as a tree), `act` ("click the link ...") and those of the agent's
owner, here `address` (of the page). For each `act`, a chat of its own asks for the element's id. At the end, another
one demands the tool `done`.
"""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from longtrail.llm.mock.json_form import best_line, plainest, schema_of
from longtrail.llm.mock.prompt_reading import plain, salient, stem
from longtrail.llm.mock.scripted_model import ScriptedAnswer

_TREE = "Accessibility Tree:"
_NODE = re.compile(r"^\s*\[([0-9]+-[0-9]+)\] ([\w ]+?)(?:: (.*))?$", re.MULTILINE)
_NAMED = re.compile(r'click the link "(.*)"')
_CLICKABLE = frozenset({"link", "tab", "menuitem"})
_LINKS = 3
"""Number of links that are followed."""
Messages = Sequence[Mapping[str, Any]]


def asks(body: Mapping[str, Any]) -> bool:
    """Whether this chat is from an agent made with Stagehand."""
    offered = _offered(body)
    return "ariaTree" in offered or list(offered) == ["done"] or (schema_of(body) is not None and _TREE in _last(body))


def say(body: Mapping[str, Any], *, at_once: bool = False) -> ScriptedAnswer:
    """The next tool's call, the element that is meant, or the end. `at_once`: without looking for anything."""
    messages, offered = body["messages"], _offered(body)
    if schema := schema_of(body):
        return ScriptedAnswer(_element(schema, _last(body)))
    if "ariaTree" not in offered:
        return _called("done", plainest(offered["done"], _found(messages)))
    if at_once:
        return ScriptedAnswer("I am done.")
    if _address(_last(body)):
        return ScriptedAnswer("Nothing else here fits the task.")
    if messages[-1]["role"] != "tool" or _TREE not in _last(body):
        return _called("ariaTree", {})
    clicked = [name for call in _calls(messages) for name in _NAMED.findall(call.get("action", ""))]
    link = _best_link(_last(body), _task(messages), clicked) if len(clicked) < _LINKS else ""
    if not link:
        return _called("address", {}) if "address" in offered else ScriptedAnswer("Nothing else here fits the task.")
    return _called("act", {"action": f'click the link "{link}"'})


def _called(name: str, arguments: Any) -> ScriptedAnswer:
    return ScriptedAnswer("", "tool_calls", call=(name, json.dumps(arguments, ensure_ascii=False)))


def _offered(body: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The form of each tool's arguments."""
    tools = [tool.get("function") or {} for tool in body.get("tools") or []]
    return {tool.get("name", ""): tool.get("parameters") or {} for tool in tools}


def _last(body: Mapping[str, Any]) -> str:
    return _text(body["messages"][-1])


def _text(message: Mapping[str, Any]) -> str:
    """A message's text; a tool's result may be its list of parts in JSON."""
    text = plain(message.get("content"))
    with contextlib.suppress(json.JSONDecodeError):
        return plain(parts) if isinstance(parts := json.loads(text), list) else text
    return text


def _task(messages: Messages) -> str:
    return next((plain(message.get("content")) for message in messages if message.get("role") == "user"), "")


def _calls(messages: Messages) -> list[dict[str, Any]]:
    """The arguments of all tools that were called."""
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    return [json.loads(call["function"]["arguments"] or "{}") for call in calls]


def _best_link(tree: str, task: str, clicked: Sequence[str]) -> str:
    """The link that shares most words with the task, of those that were not clicked."""
    wanted = {stem(word) for word in salient(task)}
    links = [name for _, role, name in _NODE.findall(tree) if role in _CLICKABLE and name and name not in clicked]
    shared = [(len({stem(word) for word in salient(name)} & wanted), name) for name in links]
    return max((link for link in shared if link[0]), key=lambda link: link[0], default=(0, ""))[1]


def _element(schema: Mapping[str, Any], asked: str) -> str:
    """The element that an instruction names; null if the tree has none."""
    instruction, _, tree = asked.partition(_TREE)
    wanted = found[1] if (found := _NAMED.search(instruction)) else ""
    node = next((node for node, role, name in _NODE.findall(tree) if role in _CLICKABLE and name == wanted), None)
    answer = plainest(schema, {})
    answer["action"] = node and {"elementId": node, "description": wanted, "method": "click", "arguments": []}
    return json.dumps({**answer, "twoStep": False}, ensure_ascii=False)


def _found(messages: Messages) -> dict[str, str]:
    """What the last page says about the task."""
    trees = [text for message in messages if message.get("role") == "tool" and _TREE in (text := _text(message))]
    names = [(role, name) for _, role, name in _NODE.findall(trees[-1] if trees else "") if name]
    line = best_line("\n".join(name for role, name in names if role not in _CLICKABLE), _task(messages))
    page_name = next((name for role, name in names if role == "RootWebArea"), "the page")
    page_name = next(
        (url for message in messages if message.get("role") == "tool" and (url := _address(_text(message)))), page_name
    )
    return {"quote": line, "source": page_name, "answer": line, "justification": f"On {page_name} it says: {line}"}


def _address(text: str) -> str:
    """The address in a tool's result; empty if it is none."""
    return match[1] if (match := re.fullmatch(r'"?(https?://[^\s"]+)"?', text.strip())) else ""
