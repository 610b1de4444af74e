"""Call form: the scripted model's answers to agents made for BrowserGym, which ask for a call like `click("12")`.

Their prompt is read as a situation like any other; the answer is the same action as such a call.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote_plus

from longtrail.llm.mock.prompt_reading import PromptReading, PromptStep, plain

_SECTION = re.compile(
    r"^# (Goal|Chat Messages|Currently open tabs|Current page Accessibility Tree|Current page \w+|Action Space"
    r"|History of past actions|Error message from last action|Next action)\s*$",
    re.MULTILINE,
)
_NODE = re.compile(r"""^(\s*)\[([0-9]+)\] (\w+) (['"])(.*?)\4(?=,|$| value=)""", re.MULTILINE)
_ACTIVE = re.compile(r"^Tab \d+ \(active tab\)\s+Title: (.*)\s+URL: (.*)$", re.MULTILINE)
_WORD = re.compile(r"^- ([A-Z][A-Z_]+): ", re.MULTILINE)
_SAID = re.compile(r"^Action: (.*)$", re.MULTILINE)


def asks(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether this chat expects such a call."""
    text = _text(messages)
    return "# Action Space" in text and "send_msg_to_user(" in text


def situation(messages: Sequence[Mapping[str, Any]]) -> PromptReading:
    """The situation of such a chat."""
    sections = _sections(_text(messages))
    goal = sections.get("Goal") or sections.get("Chat Messages", "")
    active = _ACTIVE.search(sections.get("Currently open tabs", ""))
    done = tuple(PromptStep("", "", action) for action in _SAID.findall(sections.get("History of past actions", "")))
    return PromptReading(
        kind="plan",
        task=goal.rpartition("# The task now")[2].strip(),
        page=_NODE.sub(r'\1[\2] \3 "\5"', sections.get("Current page Accessibility Tree", "")),
        url=active[2].strip() if active else "",
        title=active[1].strip() if active else "",
        steps=done,
        decisions=tuple(_WORD.findall(goal)),
        step=len(done) + 1,
    )


def call(said: str, where: PromptReading) -> str:
    """An answer with an action, as a call. The action is also described in words, because ids mean nothing later."""
    try:
        answer = json.loads(said)
    except json.JSONDecodeError:
        return said  # a malformed answer stays malformed
    action: dict[str, Any] = answer["action"]
    element = re.search(rf'\[{action.get("id", "-")}\] (\w+ ".*?")(?=,|$| value=)', where.page, re.MULTILINE)
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


def _text(messages: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(plain(message.get("content")) for message in messages)


def _sections(text: str) -> dict[str, str]:
    matches = list(_SECTION.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    return {match[1]: text[match.end() : end] for match, end in zip(matches, ends, strict=False)}
