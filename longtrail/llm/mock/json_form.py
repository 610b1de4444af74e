"""JSON form: the scripted model's answers to chats that require a JSON schema, as some other agents do.

Any schema is filled with the simplest allowed value. A schema with a list of browser actions (each an object with one
key, as browser-use's `click` and `done`) is answered with one: it follows the links that share most words with the
chat's last user message before its page, then ends with the line there that fits best.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from longtrail.llm.mock.prompt_reading import plain, salient, stem

Schema = Mapping[str, Any]
_TASK = re.compile(r"<user_request>\n(.*?)(?:\nExpected output format|</user_request>)", re.DOTALL)
_PAGE = re.compile(r"<browser_state>\n(.*?)</browser_state>", re.DOTALL)
_URL = re.compile(r"^Tab \w+: (\S+)", re.MULTILINE)
_STEP = re.compile(r"Step ?([0-9]+) maximum: ?([0-9]+)")
_ELEMENT = re.compile(r"^(\t*)\*?\[([0-9]+)\]<(\w+)", re.MULTILINE)
_LINKS = 3
"""Number of links that are followed."""
MAX_DEPTH = 12
"""Maximum depth of a schema; deeper parts are filled with null."""


def schema_of(body: Mapping[str, Any]) -> Schema | None:
    """The JSON schema that a chat request demands, or None."""
    demanded = body.get("response_format")
    inner = demanded.get("json_schema") if isinstance(demanded, dict) else None
    schema = inner.get("schema") if isinstance(inner, dict) else None
    return schema if isinstance(schema, dict) else None


def fill_in(schema: Schema, messages: Sequence[Mapping[str, Any]], *, at_once: bool = False) -> str:
    """An answer of this form, as JSON. `at_once`: without searching."""
    root, texts = schema, [plain(message.get("content")) for message in messages if message.get("role") == "user"]
    page = next((match[1] for text in reversed(texts) if (match := _PAGE.search(text))), "")
    task = next((match[1] for text in reversed(texts) if (match := _TASK.search(text))), texts[-1] if texts else "")
    url = match[1] if (match := _URL.search(page)) else ""
    line = best_line(page, task, skip=3)
    values = {"quote": line, "source": url, "text": line, "answer": line, "justification": f"On {url} it says: {line}"}
    filled = _value(schema, root, values)
    actions = _actions(schema, root)
    if actions:
        step = match if (match := _STEP.search("\n".join(texts))) else None
        number, most = (int(step[1]), int(step[2])) if step else (1, 1)
        link = None if at_once or number > min(_LINKS, most - 1) else _best_link(page, task, number)
        if link is not None and "click" in actions:
            filled |= {"action": [{"click": {"index": link}}]}
        elif "done" in actions:
            filled |= {"action": [{"done": _value(actions["done"], root, values)}]}
    return json.dumps(filled, ensure_ascii=False)


def plainest(schema: Schema, values: Mapping[str, str]) -> Any:
    """The plainest value of this form; `known` words go where a text of that name is wanted."""
    return _value(schema, schema, values)


def _actions(schema: Schema, root: Schema) -> dict[str, Schema]:
    """The form of each action that the schema's list `action` may contain, by name."""
    items = _resolved((schema.get("properties") or {}).get("action") or {}, root).get("items") or {}
    either = [_resolved(one, root) for one in items.get("anyOf", [items])]
    return {name: form for one in either for name, form in (one.get("properties") or {}).items()}


def _value(schema: Schema, root: Schema, values: Mapping[str, str], name: str = "", depth: int = 0) -> Any:
    """`plainest`, of a part of the form `root`."""
    form = _resolved(schema, root)
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


def _resolved(schema: Schema, root: Schema) -> Schema:
    """The definition that a `$ref` points to."""
    for _ in range(MAX_DEPTH):
        ref = schema.get("$ref")
        if not isinstance(ref, str):
            break
        schema = (root.get("$defs") or {}).get(ref.rpartition("/")[2], {})
    return schema


def _best_link(page: str, task: str, number: int) -> int | None:
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
