"""webagent: plans (a thought, then an action), acts, reflects on the outcome, and remembers every step.

After the WebAgent of the long-context paper, Appendix A.1. Options: `max_tokens` (of a plan), `reflect`.
The prompt begins with what stays the same in a phase (rules, earlier tasks, the task), then come the steps so far, then
the page. This order makes the best use of providers' prompt caches.
"""

import re
from dataclasses import dataclass

from longtrail.agents.agent import Agent, Assignment, Equipment, Move, Reflection
from longtrail.agents.model_answer import ModelAnswer, parse
from longtrail.agents.prompt_files import PROFILES, Profile, find_profile, render
from longtrail.browser.view import View
from longtrail.errors import UsageError
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.llm.tokens import count
from longtrail.records.memory import describe, remember, render_history, render_step
from longtrail.records.trajectory import Outcome, Step, Usage

REFLECTION_TOKENS = 256
SUMMARY_TOKENS = 320
MAX_AUDITS = 2
AUDIT_TOKENS = 1024
ENDING = ("decide", "finish")
"""The actions that are audited."""
PAGE_SHOWN = 2_000
"""Characters of the page's text that represent the current state in irag's summary."""


@dataclass(frozen=True, slots=True)
class PromptPrefix:
    """The part of every prompt before the page: system message and the growing text of the steps."""

    system: str
    text: str
    stable: int
    """Length of the part of `text` that stays the same for the whole phase."""


class WebAgent:
    """One phase of one episode."""

    def __init__(
        self,
        assignment: Assignment,
        model: ModelClient,
        *,
        profile: Profile = PROFILES["default"],
        summarises: bool = False,
        audits: int = 0,
    ) -> None:
        self._assignment, self._model, self._profile = assignment, model, profile
        self._summarises, self._audits = summarises, audits
        self._system = render(
            profile.system,
            vision=model.vision,
            actions=assignment.actions,
            files=assignment.files,
            decisions=assignment.decisions,
        )
        self._head = render("past", history=render_history(assignment.history), instruction=with_notes(assignment))
        self._steps: list[str] = []
        self._errors: list[tuple[int, str]] = []
        self._last: tuple[View, Move] | None = None

    def act(self, view: View) -> Move:
        """Plan. If the answer has no valid action, ask once more; if that fails too, the step is malformed."""
        past = PromptPrefix(self._system, self._head + "".join(self._steps), len(self._head))
        recalled = summarise(self._model, past, self._assignment, view) if self._summarises else None
        summary = recalled.text.strip() if recalled and recalled.finish_reason != "refusal" else ""
        replies, answer, audit = self._plan(past, view, summary)
        refused = replies[-1].finish_reason == "refusal"
        cut_off = answer.action is None and replies[-1].finish_reason == "length"
        before = [recalled] if recalled else []
        thinking = [*before, *(replies[-1:] if audit else [])]
        move = Move(
            action=None if refused else answer.action,
            thought=answer.thought,
            problem=self._cut_off_at(replies[-1]) if cut_off else answer.problem,
            cut_off=cut_off,
            raw=replies[-1].text if refused or answer.action is None else "",
            summary="\n".join(filter(None, (summary, audit))),
            refused=refused,
            usage=sum((reply.usage for reply in [*replies, *before]), Usage()),
            summary_usage=sum((reply.usage for reply in thinking), Usage()) if thinking else None,
            seconds=sum(reply.seconds for reply in [*replies, *before]),
            model=replies[-1].model,
        )
        self._last = (view, move)
        return move

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        """Reflect on the last action from the page afterwards, and remember the step."""
        if self._last is None:
            return None
        before, move = self._last
        step = Step(
            number=len(self._steps) + 1,
            phase=self._assignment.phase,
            observation=before.observation,
            thought=move.thought,
            action=move.action,
            outcome=outcome,
        )
        looks_back = self._profile.reflect and move.action is not None
        reflection = self._look_back(step, outcome, view) if looks_back else None
        if reflection:
            step = step.model_copy(update={"reflection": reflection.text})
        if outcome.error:
            self._errors.append((step.number, outcome.error))
        (remembered,) = remember((step,))
        self._steps.append(render_step(step.number, remembered, thoughts=self._profile.thoughts) + "\n")
        return reflection

    def _cut_off_at(self, reply: Reply) -> str:
        tokens = reply.usage.completion_tokens or self._profile.max_tokens
        return f"the answer was cut off at its maximum length, {tokens} tokens"

    def _plan(self, past: PromptPrefix, view: View, summary: str) -> tuple[list[Reply], ModelAnswer, str]:
        """The answer, the final action, and the answer of an audit."""
        assignment = self._assignment
        images = (view.image,) if self._model.vision and view.image is not None else ()
        messages: tuple[Message, ...] = (
            Message(role="system", text=past.system),
            Message(role="user", text=past.text + self._now(past, view, summary), images=images, stable=past.stable),
        )
        replies, answer = self._ask(messages)
        action = answer.action
        if action is None or action.type not in ENDING or self._audits < 1:
            return replies, answer, ""
        self._audits -= 1
        left = assignment.step_limit - len(self._steps) - 1
        question = render("audit", action=describe(action), actions=assignment.actions, left=left)
        said = Message(role="assistant", text=replies[-1].text)
        asked = (*messages, said, Message(role="user", text=question))
        audit = self._model.complete(asked, max_tokens=AUDIT_TOKENS, json=True)
        after = parse(audit.text, assignment.actions, assignment.decisions)
        return [*replies, audit], after if after.action is not None else answer, audit.text.strip()

    def _ask(self, messages: tuple[Message, ...]) -> tuple[list[Reply], ModelAnswer]:
        """The model's answer; asked once more if it has no valid action."""
        assignment, replies = self._assignment, list[Reply]()
        while True:
            reply = self._model.complete(messages, max_tokens=self._profile.max_tokens, json=True)
            answer = parse(reply.text, assignment.actions, assignment.decisions)
            replies.append(reply)
            if reply.finish_reason == "refusal" or answer.action is not None or len(replies) == 2:
                return replies, answer
            cut = reply.finish_reason == "length"
            problem = render("repair", problem=answer.problem, cut=cut, actions=assignment.actions)
            earlier_answer = Message(role="assistant", text=reply.text or "(nothing)")
            messages = (*messages, earlier_answer, Message(role="user", text=problem))

    def _now(self, past: PromptPrefix, view: View, summary: str) -> str:
        """The page and the turn, within the profile's budget."""
        assignment, budget = self._assignment, self._profile.prompt_tokens
        values = {
            "url": view.url,
            "title": view.observation.title,
            "error": view.observation.error,
            "errors": self._errors,
            "note": view.observation.note,
            "focused": focused(view.text),
            "summary": summary,
            "number": len(self._steps) + 1,
            "limit": assignment.step_limit,
            "reminder": assignment.prompt if assignment.history else "",
            "decisions": assignment.decisions,
        }
        text = view.text
        if budget is not None:
            bare = past.system + "".join(self._steps) + render(self._profile.turn, **values, text="")
            text = cut_to(text, budget, bare)
        return render(self._profile.turn, **values, text=text)

    def _look_back(self, step: Step, outcome: Outcome, after: View) -> Reflection:
        prompt = render(
            "reflect",
            instruction=self._assignment.prompt,
            before=step.observation,
            thought=step.thought,
            action=remember((step,))[0].action,
            error=outcome.error,
            after=after.observation,
        )
        reply = self._model.complete((Message(role="user", text=prompt),), max_tokens=REFLECTION_TOKENS)
        return Reflection(text=reply.text.strip(), usage=reply.usage, seconds=reply.seconds)


def build(
    assignment: Assignment, equipment: Equipment, name: str, *, summarises: bool = False, audits: int = 0
) -> Agent:
    """A WebAgent with these options. Raises UsageError without a model or for an invalid option."""
    if equipment.model is None:
        raise UsageError(f"agent {name} needs a model: give --model, for example --model gpt-4.1")
    profile = find_profile(equipment.profile)
    tokens = equipment.options.get("max_tokens", profile.max_tokens)
    reflect = equipment.options.get("reflect", profile.reflect)
    if not str(tokens).isdecimal() or int(str(tokens)) < 1:
        raise UsageError(f"agent {name}: max_tokens={tokens!r} is not a positive number")
    if str(reflect).lower() not in ("true", "false"):
        raise UsageError(f"agent {name}: reflect={reflect!r} is neither true nor false")
    profile = profile.model_copy(update={"max_tokens": int(str(tokens)), "reflect": str(reflect).lower() == "true"})
    return WebAgent(assignment, equipment.model, profile=profile, summarises=summarises, audits=audits)


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """webagent, for one phase."""
    return build(assignment, equipment, "webagent")


def make_irag(assignment: Assignment, equipment: Equipment) -> Agent:
    """irag, for one phase: the webagent, which before each plan asks the model to summarise what its history says about
    the task and the page. The summary is appended to the plan's context."""
    return build(assignment, equipment, "irag", summarises=True)


def make_audit(assignment: Assignment, equipment: Equipment) -> Agent:
    """audit, for one phase: the webagent, which before it ends a task lists what it knows, where it saw it, and what is
    missing. It may go on investigating after that (a question that the long-context paper leaves open). The action
    after the last of MAX_AUDITS audits (option `audits`) is final."""
    audits = str(equipment.options.get("audits", MAX_AUDITS))
    if not audits.isdecimal():
        raise UsageError(f"agent audit: audits={audits!r} is not a number")
    return build(assignment, equipment, "audit", audits=int(audits))


def summarise(model: ModelClient, past: PromptPrefix, assignment: Assignment, view: View) -> Reply:
    """irag's first call of a turn: what the history says about the task and the current page.

    After the implicit retrieval of the long-context paper. The call shares the plan's beginning (rules, history, steps
    so far), so that a provider's cache serves one from the other.
    """
    now = render(
        "summarise",
        url=view.url,
        title=view.observation.title,
        text=view.text[:PAGE_SHOWN],
        instruction=assignment.prompt,
    )
    messages = (
        Message(role="system", text=past.system),
        Message(role="user", text=past.text + now, stable=past.stable),
    )
    return model.complete(messages, max_tokens=SUMMARY_TOKENS)


def with_notes(assignment: Assignment) -> str:
    """The instruction and, in a later session of a shift, what the agent wrote into its notebook."""
    return "\n\n".join((assignment.prompt, *(f"From your notebook: {note}" for note in assignment.notes)))


LEAST = 1_000
"""Minimum tokens of the page that are always shown."""
CUT = "... cut here to keep the prompt within its budget; scroll to see the rest"


def focused(text: str) -> str:
    """The line of the element that has the focus; empty if none has it."""
    return next((line.strip() for line in text.splitlines() if _has_focus(line)), "")


def _has_focus(line: str) -> bool:
    return line.lstrip().startswith("[") and "focused" in re.findall(r"\w+", line.rpartition('"')[2])


def cut_to(text: str, budget: int, rest: str) -> str:
    """The page's text, cut after a line where it and the rest of the prompt would exceed the budget (in tokens)."""
    room = max(LEAST, budget - count(rest))
    if count(text) <= room:
        return text
    lines: list[str] = []
    used = count(CUT) + 1
    for line in text.splitlines():
        used += count(line) + 1
        if used > room:
            break
        lines.append(line)
    return "\n".join([*lines, CUT])
