"""An agent built with Pydantic AI: the browser's actions are its external tools, whose results are the next page.

PYTHONPATH=examples/pydantic_ai pytest evals -m shopping_admin --agent my_agent:make --agent-arg model=gpt-4.1
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolDefinition
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.toolsets import ExternalToolset

from longtrail.api import Action, Assignment, Back, Click, Decide, Equipment, Fill, Finish, Move, Outcome, Usage, View

ACTION: TypeAdapter[Action] = TypeAdapter(Action)


class PydanticAgent:
    """One phase. Each `act` is one run of the framework's agent, which continues with the messages of the last one."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        options = equipment.options
        self.assignment, self.steps, self.happened = assignment, 0, f"# Current task\n{assignment.prompt}"
        self.messages: list[Any] = []
        self.called: list[str] = []
        offered = {"click": Click, "fill": Fill, "back": Back}
        offered |= {"decide": Decide} if assignment.decisions else {"finish": Finish}
        tools = [ToolDefinition(name=n, parameters_json_schema=a.model_json_schema()) for n, a in offered.items()]
        self.agent = Agent(
            OpenAIChatModel(
                str(options.get("model", "gpt-4.1")), provider=OpenAIProvider(base_url=options.get("base_url"))
            ),
            instructions="You operate a web browser. Call one tool. First say what you read that matters.",
            output_type=[str, DeferredToolRequests],
            toolsets=[ExternalToolset(tools)],
            model_settings={"temperature": 0, "parallel_tool_calls": False},
        )
        self.thread = ThreadPoolExecutor(1)  # our thread's event loop is the browser's

    def act(self, view: View) -> Move:
        """The next action: the first tool that the model calls."""
        self.steps, self.url = self.steps + 1, view.url
        turn = self.turn(view)
        answered = DeferredToolResults(calls=dict.fromkeys(self.called, turn)) if self.called else None
        result = self.thread.submit(
            self.agent.run_sync,
            None if answered else turn,
            message_history=self.messages,
            deferred_tool_results=answered,
        ).result()
        self.messages = result.all_messages()
        spent = result.usage
        usage = Usage(
            calls=spent.requests,
            prompt_tokens=spent.input_tokens,
            cached_tokens=spent.cache_read_tokens,
            completion_tokens=spent.output_tokens,
            usd=None,
        )
        said = result.response.text or ""
        calls = result.output.calls if isinstance(result.output, DeferredToolRequests) else []
        self.called = [call.tool_call_id for call in calls]
        if not calls:
            return Move(action=None, problem="no tool was called", raw=said, usage=usage)
        try:
            action = ACTION.validate_python({**calls[0].args_as_dict(), "type": calls[0].tool_name})
        except ValidationError as error:
            return Move(action=None, problem=str(error), raw=calls[0].args_as_json_str(), usage=usage)
        return Move(action=action, thought=said, usage=usage, model=result.response.model_name or "")

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


def make(assignment: Assignment, equipment: Equipment) -> PydanticAgent:
    """Called for each phase of each case."""
    return PydanticAgent(assignment, equipment)
