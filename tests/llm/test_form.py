"""Answers in a demanded form: of any JSON schema, and of the kind that agents of other makers steer browsers with."""

import json
from typing import Any, Literal

import httpx
import jsonschema
import pytest
from pydantic import BaseModel, Field

from longtrail.llm.mock.json_form import fill_in, schema_of
from longtrail.llm.mock.server import MockServer

PAGE = """\
<page_stats>3 links</page_stats>
Current tab: A1B2
Tab A1B2: https://shop.test/orders/17 - Order 17

Interactive elements:
[4]<a id=home />
\tDashboard
*[7]<a />
\tEvents of the loyal customer
[9]<button />
\tCustomer
[12]<a />
\tCustomer Iris Vahl
The loyal customer asked for a refund on 3 March.
"""


class Quote(BaseModel):
    source: str
    quote: str


class Ending(BaseModel):
    decision: Literal["APPROVE", "DENY"]
    justification: str
    evidence: list[Quote] = Field(min_length=1)
    urgent: bool
    amount: int = Field(ge=3)
    note: str | None = None


class Click(BaseModel):
    index: int


class Done(BaseModel):
    data: Ending


class ClickAction(BaseModel):
    click: Click


class DoneAction(BaseModel):
    done: Done


class Turn(BaseModel):
    """As browser-use wants it."""

    memory: str | None
    next_goal: str | None
    action: list[ClickAction | DoneAction] = Field(min_length=1)


def chat(step: int, page: str = PAGE) -> list[dict[str, Any]]:
    task = "<user_request>\nRefund the loyal customer Iris Vahl?\n</user_request>"
    said = f"{task}\n<browser_state>\n{page}</browser_state>"
    return [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": [{"type": "text", "text": f"{said}\n<step_info>Step{step} maximum:9</step_info>"}]},
    ]


@pytest.mark.parametrize("model", [Ending, Quote, Turn, Done])
def test_any_schema_is_kept(model: type[BaseModel]) -> None:
    schema = model.model_json_schema()
    filled = json.loads(fill_in(schema, [{"role": "user", "content": "Anything."}]))
    jsonschema.validate(filled, schema)
    model.model_validate(filled)


def test_links_that_fit_the_task_are_followed_then_it_ends() -> None:
    turns = [Turn.model_validate_json(fill_in(Turn.model_json_schema(), chat(step))) for step in (1, 2, 3)]
    first, second, third = (turn.action[0] for turn in turns)
    assert isinstance(first, ClickAction)
    assert isinstance(second, ClickAction)
    assert (first.click.index, second.click.index) == (12, 7), "three words in common, then two; a button is no link"
    assert isinstance(third, DoneAction)
    assert third.done.data.evidence[0] == Quote(
        source="https://shop.test/orders/17", quote="The loyal customer asked for a refund on 3 March."
    )
    at_once = Turn.model_validate_json(fill_in(Turn.model_json_schema(), chat(1), at_once=True))
    assert isinstance(at_once.action[0], DoneAction)


@pytest.mark.parametrize("body", [{}, {"response_format": {"type": "json_object"}}, {"response_format": "json"}])
def test_no_schema_no_form(body: dict[str, Any]) -> None:
    assert schema_of(body) is None


def test_the_mock_server_answers_in_the_form_that_is_demanded(server: MockServer) -> None:
    demanded = {"type": "json_schema", "json_schema": {"name": "turn", "schema": Turn.model_json_schema()}}
    for model, action in (("scripted-careful", ClickAction), ("scripted-finisher", DoneAction)):
        body = {"model": model, "messages": chat(1), "response_format": demanded}
        answer = httpx.post(f"{server.url}/chat/completions", json=body, trust_env=False).json()
        said = answer["choices"][0]["message"]["content"]
        assert isinstance(Turn.model_validate_json(said).action[0], action)
