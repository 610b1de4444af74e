"""A model server for trying agents of other frameworks without a key: the scripted model of `longtrail mock-model`,
here also with answers in the forms that browser-use, Stagehand and agents made for BrowserGym ask for.

    python examples/scripted_frameworks.py --port 8700

It follows links that share words with the task, then ends with the line of the page that fits best.
"""

import argparse
import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus

from longtrail.llm.mock.answer import Schema, resolved, schema_of, scripted_answer, simplest_value
from longtrail.llm.mock.prompt_reading import PromptReading, PromptStep, plain, salient, stem
from longtrail.llm.mock.scripted_model import MODELS, ScriptedAnswer
from longtrail.llm.mock.server import serve

Messages = Sequence[Mapping[str, Any]]
_LINKS = 3
"""Number of links that are followed."""


def answer(model: str, body: dict[str, Any]) -> ScriptedAnswer:
    """A scripted model's answer to a request, in the form that the framework asks for. See `scripted_answer`."""
    usual, messages, at_once = scripted_answer(model, body), body["messages"], "finisher" in model
    if usual.refusal:
        return usual
    if is_for_browsergym(messages):
        prompt = browsergym_prompt(messages)
        said = MODELS[model](prompt)
        return replace(said, text=as_call(said.text, prompt))
    if is_for_stagehand(body):
        return stagehand_answer(body, at_once=at_once)
    schema = schema_of(body)
    return usual if schema is None else ScriptedAnswer(browser_use_answer(schema, messages, at_once=at_once))


# browser-use: a JSON schema with a list of actions, each an object with one key, such as `click` and `done`.

_TASK = re.compile(r"<user_request>\n(.*?)(?:\nExpected output format|</user_request>)", re.DOTALL)
_PAGE = re.compile(r"<browser_state>\n(.*?)</browser_state>", re.DOTALL)
_URL = re.compile(r"^Tab \w+: (\S+)", re.MULTILINE)
_STEP = re.compile(r"Step ?([0-9]+) maximum: ?([0-9]+)")
_ELEMENT = re.compile(r"^(\t*)\*?\[([0-9]+)\]<(\w+)", re.MULTILINE)


def browser_use_answer(schema: Schema, messages: Messages, *, at_once: bool = False) -> str:
    """An answer of this form, as JSON. `at_once`: without searching."""
    texts = [plain(message.get("content")) for message in messages if message.get("role") == "user"]
    page = next((match[1] for text in reversed(texts) if (match := _PAGE.search(text))), "")
    task = next((match[1] for text in reversed(texts) if (match := _TASK.search(text))), texts[-1] if texts else "")
    url = match[1] if (match := _URL.search(page)) else ""
    line = best_line(page, task, skip=3)
    values = {"quote": line, "source": url, "text": line, "answer": line, "justification": f"On {url} it says: {line}"}
    filled = simplest_value(schema, values)
    actions = _actions(schema)
    if actions:
        step = match if (match := _STEP.search("\n".join(texts))) else None
        number, most = (int(step[1]), int(step[2])) if step else (1, 1)
        link = None if at_once or number > min(_LINKS, most - 1) else _numbered_link(page, task, number)
        if link is not None and "click" in actions:
            filled |= {"action": [{"click": {"index": link}}]}
        elif "done" in actions:
            filled |= {"action": [{"done": simplest_value(actions["done"], values, schema)}]}
    return json.dumps(filled, ensure_ascii=False)


def _actions(schema: Schema) -> dict[str, Schema]:
    """The form of each action that the schema's list `action` may contain, by name."""
    items = resolved((schema.get("properties") or {}).get("action") or {}, schema).get("items") or {}
    either = [resolved(option, schema) for option in items.get("anyOf", [items])]
    return {name: form for option in either for name, form in (option.get("properties") or {}).items()}


def _numbered_link(page: str, task: str, number: int) -> int | None:
    """The link that shares most words with the task: at step 2 the second best, and so on."""
    wanted = {stem(word) for word in salient(task)}
    candidates: list[tuple[int, int]] = []
    marks = list(_ELEMENT.finditer(page))
    ends = [*(mark.start() for mark in marks[1:]), len(page)]
    for mark, end in zip(marks, ends, strict=False):
        words_of_task = {stem(word) for word in salient(page[mark.end() : end].partition("\n")[2].partition("\n")[0])}
        if mark[3] == "a" and words_of_task & wanted:
            candidates.append((-len(words_of_task & wanted), int(mark[2])))
    return sorted(candidates)[number - 1][1] if len(candidates) >= number else None


def best_line(page: str, task: str, *, skip: int = 0) -> str:
    """The line of the page that shares most words with the task; its first `skip` lines are not looked at."""
    wanted = {stem(word) for word in salient(task)}
    lines = [line.strip() for line in page.splitlines() if line.strip() and not _ELEMENT.match(line)]
    shared = [(len({stem(word) for word in salient(line)} & wanted), len(line), line) for line in lines[skip:]]
    return max(shared, default=(0, 0, ""))[2][:400]


# Stagehand: the tools `ariaTree` (the page as a tree), `act` ("click the link ...") and `address`. For each `act`, a
# chat of its own asks for the element's id. At the end, another one demands the tool `done`.

_TREE = "Accessibility Tree:"
_NODE = re.compile(r"^\s*\[([0-9]+-[0-9]+)\] ([\w ]+?)(?:: (.*))?$", re.MULTILINE)
_NAMED = re.compile(r'click the link "(.*)"')
_CLICKABLE = frozenset({"link", "tab", "menuitem"})


def is_for_stagehand(body: Mapping[str, Any]) -> bool:
    """Whether this chat is from an agent made with Stagehand."""
    offered = _offered(body)
    return "ariaTree" in offered or list(offered) == ["done"] or (schema_of(body) is not None and _TREE in _last(body))


def stagehand_answer(body: Mapping[str, Any], *, at_once: bool = False) -> ScriptedAnswer:
    """The next tool's call, the element that is meant, or the end. `at_once`: without looking for anything."""
    messages, offered = body["messages"], _offered(body)
    if schema := schema_of(body):
        return ScriptedAnswer(_element(schema, _last(body)))
    if "ariaTree" not in offered:
        return _tool_call("done", simplest_value(offered["done"], _page_facts(messages)))
    if at_once:
        return ScriptedAnswer("I am done.")
    if _address(_last(body)):
        return ScriptedAnswer("Nothing else here fits the task.")
    if messages[-1]["role"] != "tool" or _TREE not in _last(body):
        return _tool_call("ariaTree", {})
    clicked = [name for call in _calls(messages) for name in _NAMED.findall(call.get("action", ""))]
    link = _best_named_link(_last(body), _task(messages), clicked) if len(clicked) < _LINKS else ""
    if not link:
        return _tool_call("address", {}) if "address" in offered else ScriptedAnswer("Nothing else here fits the task.")
    return _tool_call("act", {"action": f'click the link "{link}"'})


def _tool_call(name: str, arguments: Any) -> ScriptedAnswer:
    return ScriptedAnswer("", "tool_calls", call=(name, json.dumps(arguments, ensure_ascii=False)))


def _offered(body: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The form of each tool's arguments."""
    tools = [tool.get("function") or {} for tool in body.get("tools") or []]
    return {tool.get("name", ""): tool.get("parameters") or {} for tool in tools}


def _last(body: Mapping[str, Any]) -> str:
    return _message_text(body["messages"][-1])


def _message_text(message: Mapping[str, Any]) -> str:
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


def _best_named_link(tree: str, task: str, clicked: Sequence[str]) -> str:
    """The link that shares most words with the task, of those that were not clicked."""
    wanted = {stem(word) for word in salient(task)}
    links = [name for _, role, name in _NODE.findall(tree) if role in _CLICKABLE and name and name not in clicked]
    shared = [(len({stem(word) for word in salient(name)} & wanted), name) for name in links]
    return max((link for link in shared if link[0]), key=lambda link: link[0], default=(0, ""))[1]


def _element(schema: Mapping[str, Any], asked: str) -> str:
    """The element that an instruction names; null if the tree has none."""
    instruction, _, tree = asked.partition(_TREE)
    wanted = match[1] if (match := _NAMED.search(instruction)) else ""
    node = next((node for node, role, name in _NODE.findall(tree) if role in _CLICKABLE and name == wanted), None)
    answer = simplest_value(schema, {})
    answer["action"] = node and {"elementId": node, "description": wanted, "method": "click", "arguments": []}
    return json.dumps({**answer, "twoStep": False}, ensure_ascii=False)


def _page_facts(messages: Messages) -> dict[str, str]:
    """What the last page says about the task."""
    results = [_message_text(message) for message in messages if message.get("role") == "tool"]
    trees = [text for text in results if _TREE in text]
    names = [(role, name) for _, role, name in _NODE.findall(trees[-1] if trees else "") if name]
    line = best_line("\n".join(name for role, name in names if role not in _CLICKABLE), _task(messages))
    page_name = next((name for role, name in names if role == "RootWebArea"), "the page")
    page_name = next(filter(None, map(_address, results)), page_name)
    return {"quote": line, "source": page_name, "answer": line, "justification": f"On {page_name} it says: {line}"}


def _address(text: str) -> str:
    """The address in a tool's result; empty if it is none."""
    return match[1] if (match := re.fullmatch(r'"?(https?://[^\s"]+)"?', text.strip())) else ""


# BrowserGym: agents that ask for a call like `click("12")`.

_SECTION = re.compile(
    r"^# (Goal|Chat Messages|Currently open tabs|Current page Accessibility Tree|Current page \w+|Action Space"
    r"|History of past actions|Error message from last action|Next action)\s*$",
    re.MULTILINE,
)
_BID_NODE = re.compile(r"""^(\s*)\[([0-9]+)\] (\w+) (['"])(.*?)\4(?=,|$| value=)""", re.MULTILINE)
_ACTIVE = re.compile(r"^Tab \d+ \(active tab\)\s+Title: (.*)\s+URL: (.*)$", re.MULTILINE)
_WORD = re.compile(r"^- ([A-Z][A-Z_]+): ", re.MULTILINE)
_SAID = re.compile(r"^Action: (.*)$", re.MULTILINE)


def is_for_browsergym(messages: Messages) -> bool:
    """Whether this chat expects such a call."""
    text = _chat_text(messages)
    return "# Action Space" in text and "send_msg_to_user(" in text


def browsergym_prompt(messages: Messages) -> PromptReading:
    """The situation of such a chat."""
    sections = _sections(_chat_text(messages))
    goal = sections.get("Goal") or sections.get("Chat Messages", "")
    active = _ACTIVE.search(sections.get("Currently open tabs", ""))
    done = tuple(PromptStep("", "", action) for action in _SAID.findall(sections.get("History of past actions", "")))
    return PromptReading(
        kind="plan",
        task=goal.rpartition("# The task now")[2].strip(),
        page=_BID_NODE.sub(r'\1[\2] \3 "\5"', sections.get("Current page Accessibility Tree", "")),
        url=active[2].strip() if active else "",
        title=active[1].strip() if active else "",
        steps=done,
        decisions=tuple(_WORD.findall(goal)),
        step=len(done) + 1,
    )


def as_call(said: str, prompt: PromptReading) -> str:
    """An answer with an action, as a call. The action is also described in words, because ids mean nothing later."""
    try:
        answer = json.loads(said)
    except json.JSONDecodeError:
        return said  # a malformed answer stays malformed
    action: dict[str, Any] = answer["action"]
    element = re.search(rf'\[{action.get("id", "-")}\] (\w+ ".*?")(?=,|$| value=)', prompt.page, re.MULTILINE)
    description = f"{action['type']} {element[1] if element else ''}".strip()
    if "text" in action:
        description += f' with "{action["text"]}"'
    return f"{answer['thought']}\nAction: {description}\n```\n{_code(action)}\n```"


def _code(action: Mapping[str, Any]) -> str:
    arguments: dict[str, str] = {name: json.dumps(value, ensure_ascii=False) for name, value in action.items()}
    match action["type"]:
        case "click":
            return f"click({arguments['id']})"
        case "fill":
            enter = f'\npress({arguments["id"]}, "Enter")' if action["enter"] else ""
            return f"fill({arguments['id']}, {arguments['text']}){enter}"
        case "goto":
            return f"goto({arguments['url']})"
        case "search":
            return f'goto("https://www.google.com/search?q={quote_plus(action["query"])}")'
        case "scroll":
            return "scroll(0, 600)" if action["direction"] == "down" else "scroll(0, -600)"
        case "finish":
            return f"send_msg_to_user({arguments.get('answer', json.dumps(''))})"
        case _:
            fields = {name: value for name, value in action.items() if name != "type"}
            return f"send_msg_to_user({json.dumps(json.dumps(fields, ensure_ascii=False), ensure_ascii=False)})"


def _chat_text(messages: Messages) -> str:
    return "\n".join(plain(message.get("content")) for message in messages)


def _sections(text: str) -> dict[str, str]:
    matches = list(_SECTION.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(matches, ends, strict=False)}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Serve scripted models, also for other frameworks.")
    parser.add_argument("--port", type=int, default=0, help="the server's port (default: any free one)")
    serve(parser.parse_args().port, answer=answer)
