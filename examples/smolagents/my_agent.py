"""An agent built with smolagents: the browser's actions are the tools of its ToolCallingAgent, which keeps the memory.

PYTHONPATH=examples/smolagents pytest evals -m shopping_admin --agent my_agent:make --agent-arg model=gpt-4.1
"""
# ruff: noqa: ARG001 (the model sees the tools' arguments; Longtrail carries the actions out)

import os
from typing import Any

from pydantic import TypeAdapter, ValidationError
from smolagents import ActionStep, LogLevel, OpenAIModel, ToolCall, ToolCallingAgent, tool

from longtrail.api import Action, Assignment, Equipment, Move, Outcome, Usage, View

ACTION: TypeAdapter[Action] = TypeAdapter(Action)
DONE = "Done: the next message shows the page."


@tool
def click(id: str) -> str:
    """Click an element.

    Args:
        id: The element's number.
    """
    return DONE


@tool
def fill(id: str, text: str, enter: bool) -> str:
    """Type a text into a field.

    Args:
        id: The field's number.
        text: What to type.
        enter: Whether to press Enter afterwards.
    """
    return DONE


@tool
def back() -> str:
    """Go back one page."""
    return DONE


@tool
def finish(answer: str) -> str:
    """End the task.

    Args:
        answer: The answer to the task.
    """
    return DONE


@tool
def decide(decision: str, justification: str, evidence: list) -> str:  # type: ignore[type-arg]
    """End the case with a decision.

    Args:
        decision: One of the decisions that the task names.
        justification: Why.
        evidence: What was read: objects with the page's address, `source`, and the words on it, `quote`.
    """
    return DONE


class SmolAgent:
    """One phase. Each `act` is one step of the framework's agent."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        options = equipment.options
        self.assignment, self.steps, self.happened = assignment, 0, f"# Current task\n{assignment.prompt}"
        model = OpenAIModel(
            str(options.get("model", "gpt-4.1")),
            api_base=options.get("base_url"),
            api_key=os.environ.get("OPENAI_API_KEY"),
            temperature=0,
        )
        tools = [click, fill, back, decide if assignment.decisions else finish]
        self.agent = ToolCallingAgent(tools, model, verbosity_level=LogLevel.OFF)

    def act(self, view: View) -> Move:
        """The next action: the tool that the model calls."""
        call: Any = None
        self.steps, self.url = self.steps + 1, view.url
        run = self.agent.run(self.turn(view), stream=True, reset=self.steps == 1)
        for event in run:  # raises after the ActionStep if the model did not answer
            if isinstance(event, ToolCall):
                call = call or event
            elif isinstance(event, ActionStep) and event.model_output_message is not None:
                run.close()  # the step is over; the framework would go on without the new page
                break
        said = str(event.model_output or "")
        spent = event.token_usage
        usage = Usage(
            calls=1,
            prompt_tokens=spent.input_tokens if spent else 0,
            completion_tokens=spent.output_tokens if spent else 0,
            usd=None,
        )
        if call is None:
            return Move(action=None, problem=f"no tool was called: {event.error}", raw=said, usage=usage)
        try:
            action = ACTION.validate_python({**call.arguments, "type": call.name})
        except (TypeError, ValidationError) as error:
            return Move(action=None, problem=f"{call.name}: {error}", raw=str(call.arguments), usage=usage)
        return Move(action=action, thought=said, usage=usage, model=self.agent.model.model_id)

    def turn(self, view: View) -> str:
        """The task, or what the last step did; then the page as numbered lines."""
        task = self.assignment
        turn = f"Step {self.steps} of at most {task.step_limit}."
        if task.decisions:
            turn += f"\nDecisions: {', '.join(task.decisions)}"
        return f"{self.happened}\n\n# The page now\nURL: {view.url}\n\n{view.text}\n\n# Your turn\n{turn}"

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: ARG002 (the next `act` gets the page)
        """What the action did, for the next turn."""
        target = outcome.target
        done = f'click {target.role} "{target.name}"' if target and not outcome.value else f'with "{outcome.value}"'
        self.happened = f"# Your steps so far\nStep {self.steps}\nURL: {self.url}\nAction: {done}"
        if outcome.error:
            self.happened += f"\nIt failed: {outcome.error}"


def make(assignment: Assignment, equipment: Equipment) -> SmolAgent:
    """Called for each phase of each case."""
    return SmolAgent(assignment, equipment)
