"""An agent that calls its model with a client that you already use: OpenAI's, Anthropic's or LangChain's.

PYTHONPATH=examples/chat_clients pytest evals -m shopping_admin --agent my_agent:make \
    --agent-arg client=anthropic --agent-arg model=claude-sonnet-4-5
"""

from collections.abc import Callable

from longtrail.api import Assignment, Equipment, Move, Outcome, Reply, Usage, View, move_from

RULES = """You work in a web browser. Answer with one action, as a JSON object: {"thought": "...", "action": {...}}.
In the thought, quote what you read that matters. The actions:
"""
Ask = Callable[[str, str], Reply]
"""Rules and question, answered by the model."""


def ask_openai(model: str, base_url: str | None) -> Ask:
    """The package openai; the key is OPENAI_API_KEY."""
    from openai import OpenAI

    client = OpenAI(base_url=base_url)

    def ask(rules: str, question: str) -> Reply:
        messages = [{"role": "system", "content": rules}, {"role": "user", "content": question}]
        reply = client.chat.completions.create(model=model, messages=messages, temperature=0)  # type: ignore[call-overload]
        spent = Usage(
            calls=1,
            prompt_tokens=reply.usage.prompt_tokens,
            completion_tokens=reply.usage.completion_tokens,
            usd=None,
        )
        return Reply(text=reply.choices[0].message.content or "", usage=spent, model=reply.model)

    return ask


def ask_anthropic(model: str, base_url: str | None) -> Ask:
    """The package anthropic; the key is ANTHROPIC_API_KEY."""
    from anthropic import Anthropic

    client = Anthropic(base_url=base_url)

    def ask(rules: str, question: str) -> Reply:
        messages = [{"role": "user", "content": question}]
        reply = client.messages.create(model=model, system=rules, messages=messages, max_tokens=1_000)
        text = "".join(part.text for part in reply.content if part.type == "text")
        spent = Usage(
            calls=1, prompt_tokens=reply.usage.input_tokens, completion_tokens=reply.usage.output_tokens, usd=None
        )
        return Reply(text=text, usage=spent, model=reply.model)

    return ask


def ask_langchain(model: str, base_url: str | None) -> Ask:
    """A chat model of LangChain, here that of langchain-openai; the key is OPENAI_API_KEY."""
    from langchain_openai import ChatOpenAI

    client = ChatOpenAI(model=model, base_url=base_url, temperature=0)

    def ask(rules: str, question: str) -> Reply:
        reply = client.invoke([("system", rules), ("user", question)])
        tokens = reply.usage_metadata or {"input_tokens": 0, "output_tokens": 0}
        spent = Usage(
            calls=1, prompt_tokens=tokens["input_tokens"], completion_tokens=tokens["output_tokens"], usd=None
        )
        return Reply(text=str(reply.content), usage=spent, model=reply.response_metadata.get("model_name", model))

    return ask


CLIENTS = {"openai": ask_openai, "anthropic": ask_anthropic, "langchain": ask_langchain}


class ChatAgent:
    """One phase of a case: each step is one question."""

    def __init__(self, assignment: Assignment, ask: Ask) -> None:
        self.assignment, self.ask, self.steps, self.move = assignment, ask, list[str](), ""

    def act(self, view: View) -> Move:
        """The next action. `move_from` reads it from the answer, also if prose or a code fence is around it."""
        task, number = self.assignment, len(self.steps) + 1
        turn = f"Step {number} of at most {task.step_limit}."
        if task.decisions:
            turn += f"\nDecisions: {', '.join(task.decisions)}"
        question = "\n".join(
            (
                f"# Current task\n{task.prompt}\n\n# Your steps so far",
                *self.steps,
                f"# The page now\nURL: {view.url}\n\n{view.text}\n\n# Your turn\n{turn}",
            )
        )
        move = move_from(self.ask(RULES + "\n".join(task.actions.values()), question), task)
        self.move = f"Step {number}\nURL: {view.url}\nThought: {move.thought}"
        return move

    def observe(self, outcome: Outcome, view: View) -> None:  # noqa: ARG002 (the next `act` gets the page)
        """What the action did, for the next question."""
        target = outcome.target
        done = f'click {target.role} "{target.name}"' if target and not outcome.value else f'with "{outcome.value}"'
        self.steps.append(f"{self.move}\nAction: {done}" + (f"\nIt failed: {outcome.error}" if outcome.error else ""))


def make(assignment: Assignment, equipment: Equipment) -> ChatAgent:
    """Called for each phase of each case."""
    options = equipment.options
    ask = CLIENTS[str(options.get("client", "openai"))](str(options.get("model", "gpt-4.1")), options.get("base_url"))
    return ChatAgent(assignment, ask)
