"""An agent built with the OpenAI Agents SDK: the browser's actions are its tools, and each turn ends with one call.

PYTHONPATH=examples/openai_agents pytest evals -m shopping_admin --agent my_agent:make --agent-arg model=gpt-4.1
"""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    ItemHelpers,
    ModelSettings,
    OpenAIChatCompletionsModel,
    Runner,
    ToolCallOutputItem,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI
from pydantic import BaseModel

from longtrail.api import (
    Action,
    Assignment,
    Back,
    Click,
    Decide,
    Equipment,
    Evidence,
    Fill,
    Finish,
    Move,
    Outcome,
    Usage,
    View,
)

set_tracing_disabled(True)  # otherwise every run is sent to OpenAI's servers


class Quote(BaseModel):
    """One piece of evidence: a page's address, and the quoted words on it."""

    source: str
    quote: str


def click(id: str) -> Action:
    """Click an element by its number."""
    return Click(id=id)


def fill(id: str, text: str, enter: bool) -> Action:
    """Type a text into a field, and press Enter if `enter` is true."""
    return Fill(id=id, text=text, enter=enter)


def back() -> Action:
    """Go back one page."""
    return Back()


def finish(answer: str) -> Action:
    """End the task with an answer."""
    return Finish(answer=answer)


def decide(decision: str, justification: str, evidence: list[Quote]) -> Action:
    """End the case with one of the decisions, why, and what was read."""
    quotes = tuple(Evidence(source=each.source, quote=each.quote) for each in evidence)
    return Decide(decision=decision, justification=justification, evidence=quotes)


class SdkAgent:
    """One phase. Each `act` is one run of the SDK's agent."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        self.assignment, self.steps = assignment, list[str]()
        options = equipment.options
        self.model = str(options.get("model", "gpt-4.1"))
        # The key is in OPENAI_API_KEY. `act` has its own event loop, so each turn has its own client.
        self.server = options.get("base_url")
        tools: list[Any] = [click, fill, back, decide if assignment.decisions else finish]
        self.tools: list[FunctionTool] = [function_tool(each) for each in tools]

    def act(self, view: View) -> Move:
        """The next action: the tool that the model calls."""
        with ThreadPoolExecutor(1) as thread:  # this thread's event loop is the browser's
            result = thread.submit(asyncio.run, self.run(self.prompt(view))).result()
        thought = ItemHelpers.text_message_outputs(result.new_items)
        called = [item.output for item in result.new_items if isinstance(item, ToolCallOutputItem)]
        if not called:
            return Move(action=None, problem="no tool was called", raw=thought)
        action = called[0]
        if isinstance(action, str):  # the SDK's exception for invalid arguments
            return Move(action=None, problem=action, raw=thought)
        name = re.search(rf'\[{getattr(action, "id", "-")}\] (\w+ ".*?")', view.text)
        told = f"{action.type} {name[1] if name else ''}" + (f' with "{action.text}"' if action.type == "fill" else "")
        self.steps.append(f"Step {len(self.steps) + 1}\nURL: {view.url}\nThought: {thought}\nAction: {told}\n")
        spent = result.context_wrapper.usage
        usage = Usage(
            calls=spent.requests, prompt_tokens=spent.input_tokens, completion_tokens=spent.output_tokens, usd=None
        )
        return Move(action=action, thought=thought, usage=usage, model=self.model)

    async def run(self, prompt: str) -> Any:
        """One turn of the SDK's agent; the first tool that it calls ends it."""
        async with AsyncOpenAI(base_url=self.server) as client:
            agent = Agent(
                name="Web agent",
                instructions="You operate a web browser. Call one tool. First say what you read that matters.",
                tools=self.tools,
                tool_use_behavior="stop_on_first_tool",
                model=OpenAIChatCompletionsModel(self.model, client),
                model_settings=ModelSettings(tool_choice="required", parallel_tool_calls=False, temperature=0),
            )
            return await Runner.run(agent, prompt, max_turns=1)

    def prompt(self, view: View) -> str:
        """Task, steps so far, and the page as numbered lines."""
        task, number = self.assignment, len(self.steps) + 1
        turn = f"Step {number} of at most {task.step_limit}."
        if task.decisions:
            turn += f"\nDecisions: {', '.join(task.decisions)}"
        return "\n".join(
            (
                f"# Current task\n{task.prompt}\n\n# Your steps so far",
                *self.steps,
                f"# The page now\nURL: {view.url}\n\n{view.text}\n\n# Your turn\n{turn}",
            )
        )

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: ARG002 (an agent takes the page)
        """What the action did, and the page afterwards: the next turn reports an error."""
        if outcome.error:
            self.steps.append(f"It failed: {outcome.error}\n")


def make(assignment: Assignment, equipment: Equipment) -> SdkAgent:
    """Called for each phase of each case."""
    return SdkAgent(assignment, equipment)
