"""Episodes of Inspect's samples, each in a thread of its own, all in one browser; our actions are Inspect's tools."""

import asyncio
import atexit
from functools import cache
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams
from inspect_ai.util import json_schema

from longtrail.agents.agent import Assignment, Equipment, Move
from longtrail.browser.session import Browser
from longtrail.browser.view import View
from longtrail.browser.view_settings import ViewSettings
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.episode.stepwise import StepwiseEpisode
from longtrail.errors import HarnessTrouble
from longtrail.llm.tokens import count
from longtrail.records.action_forms import EXPLANATIONS, KINDS, read_action, types_in_force
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Outcome
from longtrail.scoring.score import score
from longtrail.tasks.task import Task
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb

AGENT = "inspect"
TOOLS = types_in_force("paper", decides=True)
"""The tools: the paper's actions, `finish` and `decide`."""
NOT_OFFERED = {"scroll": {"id"}, "finish": {"handover"}, "decide": {"ticket"}}
"""Fields of actions that are for other suites or sets of actions."""


class _Agent:
    """The episode's agent: asks whoever plays for each move."""

    def __init__(self, assignment: Assignment, episode: "SampleEpisode") -> None:
        self._assignment, self._episode = assignment, episode

    def act(self, view: View) -> Move:
        move: Move = self._episode.ask((self._assignment, view))
        return move

    def observe(self, outcome: Outcome, view: View) -> None:
        """The next view shows what the action did."""


class SampleEpisode(StepwiseEpisode):
    """The episode of one sample."""

    def __init__(self, case: Case, task: Task, model: str) -> None:
        super().__init__()
        self.case, self.task, self._contender = case, task, Contender(agent=AGENT, model=model)
        self.result: Result | None = None
        """Once the episode is over."""
        self._prompt = ""

    async def begin(self) -> str:
        """The first page, as text."""
        return self._shown(await asyncio.to_thread(self.start, self._play))

    async def move(self, move: Move) -> str:
        """Make a move; the page afterwards. Raises ToolError if the episode is over."""
        if self.result is not None:
            raise ToolError("the task is over")
        return self._shown(await asyncio.to_thread(self.answer, move))

    async def end(self) -> None:
        """End the episode in any state."""
        await asyncio.to_thread(self.stop)

    def tools(self) -> list[Tool]:
        """Our actions as tools that play this episode."""
        return [_tool(kind, self) for kind in TOOLS]

    def _play(self) -> Result:
        web, browser = _shared()
        context = EpisodeContext(web, browser, self._contender, factory=self._make)
        return score(self.task, play_once(self.case, self.task, context))

    def _make(self, assignment: Assignment, equipment: Equipment) -> _Agent:  # noqa: ARG002 (the model is Inspect's)
        return _Agent(assignment, self)

    def _shown(self, question: Any) -> str:
        if isinstance(question, Result):
            self.result = question
            if question.outcome == "invalid" and question.trouble:
                raise HarnessTrouble(question.trouble.kind, question.trouble.message)
            return "The task is over."
        assignment, view = question
        new = assignment.prompt != self._prompt
        self._prompt = assignment.prompt
        seen = view.observation
        lines = (seen.error, seen.note, f"The page now: {seen.url} {seen.title}", seen.text)
        return "\n\n".join(filter(None, (assignment.prompt if new else "", *lines)))


def _tool(kind: str, episode: SampleEpisode) -> Tool:
    async def act(**fields: Any) -> str:
        action, problem = read_action({"type": kind, **fields})
        return await episode.move(Move(action=action, problem=problem, raw=str(fields) if action is None else ""))

    schema = json_schema(KINDS[kind])
    left_out = {"type", *NOT_OFFERED.get(kind, ())}
    properties = {name: field for name, field in (schema.properties or {}).items() if name not in left_out}
    for name, field in properties.items():
        field.description = field.description or name
    parameters = ToolParams(properties=properties, required=schema.required or [])
    return ToolDef(act, name=kind, description=EXPLANATIONS[kind], parameters=parameters).as_tool()


@cache
def _shared() -> tuple[SealedWeb, Browser]:
    """The web and the browser of all samples of this process; started when first needed."""
    web, browser = SealedWeb(all_sites()).start(), Browser(ViewSettings(), count=count)

    def close() -> None:
        browser.close()
        web.stop()

    atexit.register(close)
    return web, browser


def malformed(text: str) -> Move:
    """The move of an answer that called no tool."""
    return Move(action=None, problem=f"call one of the tools: {', '.join(TOOLS)}", raw=text)
