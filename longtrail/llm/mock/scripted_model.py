"""The scripted model: simple rules compute answers from the prompt alone, for trying a set-up without a key.

    scripted-careful         follows links, tabs and search forms that share words with the task; quotes what it read
    scripted-finisher        finishes, or takes the first decision, at once
    scripted-looper          repeats the same search endlessly
    scripted-malformed       never names a valid action
    scripted-malformed-once  as careful, but needs the repair turn every time
    scripted-refuser         refuses
    scripted-judge           judges a rubric (`judge`)

It is not a language model and not meant to be good. Its answers follow from the page, are the same for the same
prompt, and exercise every part of an agent that calls a model.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from longtrail.llm.mock.prompt_reading import PromptReading, read_prompt, salient, stem, word_lists
from longtrail.records.axtree_text import Element, elements, words

_HARSH = re.compile(r"DENY|REMOVE|BAN|LOCK|FLAIR|REPORT")
_MILD = re.compile(r"APPROVE|NO_ACTION|CONFIRM|MONITOR")
_NUMBER = re.compile(r"\b[0-9]{5,}\b")
"""A number that identifies something: an order, a parcel."""
_QUOTED = re.compile(r'I read: "([^"]+)"')
_CLICKABLE = frozenset({"link", "button", "tab", "menuitem"})
_TYPABLE = frozenset({"searchbox", "textbox", "combobox"})


@dataclass(frozen=True, slots=True)
class ScriptedAnswer:
    """An answer: its text and its finish reason."""

    text: str
    finish_reason: str = "stop"
    refusal: str = ""
    call: tuple[str, str] | None = None
    """The name of a called tool and its arguments in JSON, if it calls one."""


def answer(model: str, messages: Sequence[dict[str, Any]]) -> ScriptedAnswer:
    """A scripted model's answer to a chat. Raises KeyError for a model that is not in `MODELS`."""
    if model == JUDGE:
        return ScriptedAnswer(judge(messages))
    play, reading = MODELS[model], read_prompt(messages)
    return play(reading) if reading.kind == "plan" or model == REFUSER else _careful(reading)


def _careful(situation: PromptReading) -> ScriptedAnswer:
    if situation.kind == "summary":
        return ScriptedAnswer(_summary(situation))
    if situation.kind == "reflection":
        return ScriptedAnswer(_reflection(situation))
    quote = _telling(situation)
    thought, action = _next(situation)
    noted = f'I read: "{quote}". ' if quote else ""
    return _answer_with(noted + thought, action)


def _next(situation: PromptReading) -> tuple[str, dict[str, Any]]:
    """The next action and why, by the first rule that applies."""
    if situation.step >= situation.limit:
        return _end(situation, "No steps are left.")
    target = _best_link(situation)
    field = _open_field(situation)
    number = _NUMBER.search(situation.task)
    query = number[0] if number else " ".join(salient(situation.task)[:6])
    if number and field and query not in (target.name if target else "") and not _did(situation, f'with "{query}"'):
        return "I look for the number.", {"type": "fill", "id": field.id, "text": query, "enter": True}
    if target:
        return f'"{target.name}" fits the task.', {"type": "click", "id": target.id}
    if field and query and not _did(situation, f'with "{query}"'):
        return "I look for the task's words here.", {"type": "fill", "id": field.id, "text": query, "enter": True}
    remembered_url = _remembered(situation)
    if remembered_url and not _did(situation, f"goto {remembered_url}"):
        return "An earlier task was about this; I go back there.", {"type": "goto", "url": remembered_url}
    if "truncated" in situation.page and _count(situation, "scroll down") < 3:
        return "There is more below.", {"type": "scroll", "direction": "down"}
    if query and not situation.decisions and not _did(situation, "search the web"):
        return "Nothing here fits; I search the web.", {"type": "search", "query": query}
    return _end(situation, "Nothing else here fits the task.")


def _end(situation: PromptReading, why: str) -> tuple[str, dict[str, Any]]:
    """Finish, or decide with quotes from the pages read so far."""
    quotes = [(step.url, quote) for step in situation.steps for quote in _QUOTED.findall(step.thought)]
    quotes += [(situation.url, quote)] if (quote := _telling(situation)) else []
    if not situation.decisions:
        return why, {"type": "finish", "answer": quotes[-1][1] if quotes else ""}
    read_words = {stem(word) for _, quote in quotes for word in re.findall(r"[a-z]+", quote.lower())}
    alarm, calm = (len(read_words & word_lists()[kind]) for kind in ("alarming", "calming"))
    wanted = _HARSH if alarm > calm else _MILD if calm > alarm else None
    fitting = (
        decision
        for decision in situation.decisions
        if (wanted.search(decision) if wanted else not (_HARSH.search(decision) or _MILD.search(decision)))
    )
    evidence = [{"source": url, "quote": quote} for url, quote in dict.fromkeys(quotes)]
    findings = "; ".join(f'on {url} it says "{quote}"' for url, quote in dict.fromkeys(quotes)) or "nothing telling"
    return why, {
        "type": "decide",
        "decision": next(fitting, situation.decisions[0]),
        "justification": f"I found: {findings}. Signs of trouble: {alarm}; signs that all is well: {calm}.",
        "evidence": evidence[:8],
    }


def _best_link(situation: PromptReading) -> Element | None:
    """The clickable element that shares most words with the task and has not been clicked yet; the first of equals.

    In decision tasks, places that may contain evidence also count, but less.
    """
    task = set(salient(situation.task))
    places = word_lists()["evidence"] - task if situation.decisions else frozenset()
    best, best_score = None, 0.0
    for element in elements(situation.page):
        link_words = set(salient(element.name))
        shared = sum(3.0 if _NUMBER.match(word) else 1.0 for word in link_words & task) + 0.5 * len(link_words & places)
        score = shared + shared / len(link_words) if link_words else 0.0
        if element.role in _CLICKABLE and score > best_score and not _did(situation, f"click {element}"):
            best, best_score = element, score
    return best


def _open_field(situation: PromptReading) -> Element | None:
    """A field to type a search into."""
    fields = [element for element in elements(situation.page) if element.role in _TYPABLE]
    return next((field for field in fields if field.role == "searchbox" or "search" in field.name.lower()), None)


def _remembered(situation: PromptReading) -> str:
    """The last address of the earlier task that shares most words with this one, if any shares two."""
    wanted = set(salient(situation.task))
    best, best_score = "", 1
    for episode in re.split(r"^Task: ", situation.earlier, flags=re.MULTILINE)[1:]:
        addresses = re.findall(r"^URL: (https://\S+)$", episode, re.MULTILINE)
        score = len(wanted & set(salient(episode.partition("\n")[0])))
        if addresses and score > best_score:
            best, best_score = addresses[-1], score
    return best


def _telling(situation: PromptReading) -> str:
    """The most informative line of the page about the task: shared words, signs of either answer, figures."""
    wanted = set(salient(situation.task)) | word_lists()["alarming"] | word_lists()["calming"]
    best, best_score = "", 1
    for line in situation.page.splitlines():
        text = words(line)[:240].strip()
        if '"' in text or len(text) < 24 or next(elements(line), None):
            continue
        score = len(wanted & set(salient(text))) + bool(re.search(r"\d", text))
        if score > best_score:
            best, best_score = text, score
    return best


def _summary(situation: PromptReading) -> str:
    """The lines of the history that share most words with the task."""
    wanted = set(salient(situation.task))
    lines = dict.fromkeys(line for line in situation.earlier.splitlines() if line and not line.startswith("Step "))
    ranked = sorted(lines, key=lambda line: -len(wanted & set(salient(line))))
    best_lines = [line for line in ranked[:4] if wanted & set(salient(line))]
    remembered_url = _remembered(situation)
    return " / ".join([*best_lines, *([f"It was at {remembered_url}"] if remembered_url else [])]) or "nothing"


def _reflection(situation: PromptReading) -> str:
    step = situation.steps[0]
    if step.thought:
        return f"The action failed ({step.thought}); the page is still {situation.title or situation.url}."
    quote = _telling(situation)
    return f"After {step.action} the page is {situation.title or situation.url}." + (f" It says: {quote}" * bool(quote))


def _did(situation: PromptReading, action: str) -> bool:
    return any(action in step.action for step in situation.steps)


def _count(situation: PromptReading, action: str) -> int:
    return sum(action in step.action and step.url == situation.url for step in situation.steps)


def _finisher(situation: PromptReading) -> ScriptedAnswer:
    if not situation.decisions:
        return _answer_with("I am done.", {"type": "finish"})
    decision = {"type": "decide", "decision": situation.decisions[0], "justification": "I decide at once."}
    return _answer_with("I am done.", decision)


def _answer_with(thought: str, action: dict[str, Any]) -> ScriptedAnswer:
    return ScriptedAnswer(json.dumps({"thought": thought, "action": action}, ensure_ascii=False))


JUDGE = "scripted-judge"
_RUBRIC = "\n# Rubric\n"
_IN_QUOTATION_MARKS = re.compile(r'"([^"]+)"')


def judge(messages: Sequence[dict[str, Any]]) -> str:
    """The verdict on the rubric of a chat's last message: it is met if all that it has in quotation marks stands before
    it in the message."""
    pages, _, rubric = str(messages[-1]["content"]).rpartition(_RUBRIC)
    missing = [text for text in _IN_QUOTATION_MARKS.findall(rubric) if text not in pages]
    return json.dumps({"met": not missing, "reason": f"missing: {', '.join(missing)}" if missing else "all is there"})


REFUSER = "scripted-refuser"
_MALFORMED = ScriptedAnswer("I would click the second link on this page, the one at the top.")
MODELS: dict[str, Callable[[PromptReading], ScriptedAnswer]] = {
    "scripted-careful": _careful,
    "scripted-finisher": _finisher,
    "scripted-looper": lambda _: _answer_with("I search for it.", {"type": "search", "query": "the same thing again"}),
    "scripted-malformed": lambda _: _MALFORMED,
    "scripted-malformed-once": lambda situation: _careful(situation) if situation.repaired else _MALFORMED,
    REFUSER: lambda _: ScriptedAnswer("", "stop", "I can't help with that."),
}
"""What each model does where a plan is asked for. To other questions, all but the refuser answer as the careful one."""
