"""An agent like BrowserGym's demo agent: its prompt, its history, a chat model, and the answer as the action.

It knows nothing of this package. The two functions that turn trees into text do what BrowserGym's of these names do,
for the keys that this agent reads.
"""

import os
from typing import Any

import openai


def flatten_axtree_to_str(tree: dict[str, Any]) -> str:
    """The accessibility tree as indented lines, without text that is already in its parent's name."""
    nodes = {node["nodeId"]: node for node in tree["nodes"]}
    lines: list[str] = []

    def visit(node: dict[str, Any], depth: int, above: str) -> None:
        role, name = node["role"]["value"], node["name"]["value"]
        states = [
            each["name"] if each["value"]["value"] is True else f"{each['name']}={each['value']['value']!r}"
            for each in node["properties"]
            if each["name"] not in ("level", "readonly", "invalid") and each["value"]["value"] is not False
        ]
        skipped = (role == "generic" and not states) or (role == "StaticText" and name in above)
        if not skipped:
            bid = f"[{node['browsergym_id']}] " if "browsergym_id" in node else ""
            value = f" value={node['value']['value']!r}" if "value" in node else ""
            lines.append("\t" * depth + f"{bid}{role} {name!r}{value}" + "".join(f", {each}" for each in states))
        for child in node["childIds"]:
            visit(nodes[child], depth + (not skipped), name)

    visit(tree["nodes"][0], 0, "")
    return "\n".join(lines)


def flatten_dom_to_str(snapshot: dict[str, Any], number: int = 0) -> str:
    """The DOM snapshot as HTML, with the contents of frames."""
    nodes, strings = snapshot["documents"][number]["nodes"], snapshot["strings"]
    frames = dict(zip(nodes["contentDocumentIndex"]["index"], nodes["contentDocumentIndex"]["value"], strict=True))
    below: dict[int, list[int]] = {}
    for index, parent in enumerate(nodes["parentIndex"]):
        below.setdefault(parent, []).append(index)

    def visit(index: int) -> str:
        inner = flatten_dom_to_str(snapshot, frames[index]) if index in frames else ""
        inner += "".join(map(visit, below.get(index, ())))
        if nodes["nodeType"][index] == 3:
            return str(strings[nodes["nodeValue"][index]])
        if nodes["nodeType"][index] != 1:
            return inner
        texts = [strings[each] for each in nodes["attributes"][index]]
        attributes = "".join(f' {name}="{value}"' for name, value in zip(texts[::2], texts[1::2], strict=True))
        tag = strings[nodes["nodeName"][index]].lower()
        return f"<{tag}{attributes}>{inner}</{tag}>"

    return visit(0)


class DemoAgent:
    """Asks a chat model for the next call."""

    def __init__(self, model: str) -> None:
        self.model = model
        self.client = openai.OpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key="none", max_retries=0)
        self.history: list[str] = []

    def obs_preprocessor(self, obs: dict[str, Any]) -> dict[str, Any]:
        kept = ("goal_object", "last_action", "last_action_error", "open_pages_urls", "open_pages_titles")
        return {
            **{name: obs[name] for name in (*kept, "chat_messages", "active_page_index", "screenshot")},
            "axtree_txt": flatten_axtree_to_str(obs["axtree_object"]),
            "html": flatten_dom_to_str(obs["dom_object"]),
        }

    def get_action(self, obs: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        active = int(obs["active_page_index"][0])
        tabs = [
            f"Tab {number}{' (active tab)' * (number == active)}\n  Title: {title}\n  URL: {url}"
            for number, (url, title) in enumerate(zip(obs["open_pages_urls"], obs["open_pages_titles"], strict=True))
        ]
        past = ["# History of past actions\n", *self.history] if self.history else []
        if past and obs["last_action_error"]:
            past += ["# Error message from last action\n", obs["last_action_error"]]
        texts = [
            "# Goal\n",
            *(part["text"] for part in obs["goal_object"]),
            "# Currently open tabs\n",
            *tabs,
            f"# Current page Accessibility Tree\n\n{obs['axtree_txt']}\n",
            "# Action Space\n\nclick(bid: str), fill(bid: str, value: str), send_msg_to_user(text: str) ...\n",
            'For example:\n```click("12")```\n',
            *past,
            "# Next action\n\nYou will now think step by step and produce your next best action.",
        ]
        content: list[Any] = [{"type": "text", "text": text} for text in texts]
        system = "# Instructions\n\nReview the current state of the page to find the best possible next action."
        answer = self.client.chat.completions.create(
            model=self.model, messages=[{"role": "system", "content": system}, {"role": "user", "content": content}]
        )
        answer_text = answer.choices[0].message.content or ""
        self.history.append(answer_text)
        assert answer.usage is not None
        tokens = {"input_tokens": answer.usage.prompt_tokens, "output_tokens": answer.usage.completion_tokens}
        return answer_text, {"think": answer_text.partition("```")[0].strip(), "stats": tokens}


class DemoAgentArgs:
    """AgentLab's form of an agent: arguments with a factory method."""

    def __init__(self, model: str = "scripted-careful") -> None:
        self.model = model

    def make_agent(self) -> DemoAgent:
        return DemoAgent(self.model)
