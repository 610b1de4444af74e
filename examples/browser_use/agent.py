"""The browser-use package, unchanged, as an agent that drives the browser itself.

    pip install "longtrail[browser-use]"
    PYTHONPATH=examples/browser_use pytest -m shopping_admin --agent cdp:agent:solve --model gpt-4.1

The model is `--model` (or `--agent-arg model=...`), called by browser-use itself; `--agent-arg base_url=...` points it
to another OpenAI-compatible server. The key comes from OPENAI_API_KEY.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")  # read at import of browser_use: switches telemetry off
os.environ.setdefault("BROWSER_USE_CLOUD_SYNC", "false")

from browser_use import Agent, Browser, ChatOpenAI
from pydantic import BaseModel, ValidationError, create_model

if TYPE_CHECKING:  # browser-use's own environment lacks most of what Longtrail imports
    from longtrail.api import TaskMessage


class Quote(BaseModel):
    """One piece of evidence."""

    source: str
    """The address of the page."""
    quote: str
    """The quoted words on that page."""


def ending(decisions: tuple[str, ...]) -> type[BaseModel]:
    """The form of browser-use's final answer in decision tasks."""
    return create_model(
        "Ending",
        decision=(Literal[decisions], ...),
        justification=(str, ...),
        evidence=(list[Quote], ...),
        response=(str, ""),
    )


async def solve(errand: TaskMessage) -> dict[str, Any]:
    """Let browser-use do the task, and report its final answer."""
    options = errand.options
    llm = ChatOpenAI(
        model=str(options.get("model") or errand.model or "gpt-4.1").removeprefix("openai/"),
        base_url=options.get("base_url"),
        temperature=0.0,
    )
    browser = Browser(cdp_url=errand.cdp, highlight_elements=False)  # its highlights would change the page
    task = f"{errand.prompt}\n\nThe page that you need is open already. There is no other internet."
    if errand.history:
        task = f"What you did before:\n{errand.history}\n\nNow: {task}"
    agent = Agent(
        task=task,
        llm=llm,
        browser=browser,
        use_vision=options.get("vision") == "true",
        use_judge=False,  # judging itself would cost calls and change nothing
        **({"output_model_schema": ending(errand.decisions)} if errand.decisions else {}),
    )
    history = await agent.run(max_steps=errand.step_limit)
    said = history.final_result() or ""
    if not history.is_done() and history.history and history.history[-1].model_output is None:
        raise RuntimeError(f"the model's server failed: {history.errors()[-1]}")  # else it would look like no answer
    report = {
        "thought": "\n".join(filter(None, (each.next_goal for each in history.model_thoughts()))),
        "usage": _usage(history),
        "model": llm.name,
    }
    if not errand.decisions:
        return {"answer": said, **report}
    try:
        return {**ending(errand.decisions).model_validate_json(said).model_dump(), **report}
    except ValidationError:
        return {"answer": said, **report}  # it ended without a decision


def _usage(history: Any) -> dict[str, Any]:
    """Tokens as browser-use counted them; no price."""
    spent = history.usage
    if spent is None:
        return {"usd": None}
    return {
        "calls": spent.entry_count,
        "prompt_tokens": spent.total_prompt_tokens,
        "cached_tokens": spent.total_prompt_cached_tokens,
        "completion_tokens": spent.total_completion_tokens,
        "usd": None,
    }
