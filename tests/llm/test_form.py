"""Answers in a required form: of any JSON schema, and of those that other agent frameworks use."""

import json
from typing import Any, Literal

import httpx
import jsonschema
import pytest
from pydantic import BaseModel, Field

from examples.scripted_frameworks import answer, browser_use_answer
from longtrail.llm.mock.answer import schema_of, simplest_value
from longtrail.llm.mock.server import MockServer
from tests.tables import tables_of

TABLES = tables_of(__file__)

PAGE = TABLES["page"]


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
    """The form that browser-use requires."""

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
    chat = [{"role": "user", "content": "Anything."}]
    for filled in (simplest_value(schema, {}), json.loads(browser_use_answer(schema, chat))):
        jsonschema.validate(filled, schema)
        model.model_validate(filled)


def test_links_that_fit_the_task_are_followed_then_it_ends() -> None:
    turns = [Turn.model_validate_json(browser_use_answer(Turn.model_json_schema(), chat(step))) for step in (1, 2, 3)]
    first, second, third = (turn.action[0] for turn in turns)
    assert isinstance(first, ClickAction)
    assert isinstance(second, ClickAction)
    assert (first.click.index, second.click.index) == (12, 7), "three words in common, then two; a button is no link"
    assert isinstance(third, DoneAction)
    assert third.done.data.evidence[0] == Quote(
        source="https://shop.test/orders/17", quote="The loyal customer asked for a refund on 3 March."
    )
    at_once = Turn.model_validate_json(browser_use_answer(Turn.model_json_schema(), chat(1), at_once=True))
    assert isinstance(at_once.action[0], DoneAction)


@pytest.mark.parametrize("body", [{}, {"response_format": {"type": "json_object"}}, {"response_format": "json"}])
def test_no_schema_no_form(body: dict[str, Any]) -> None:
    assert schema_of(body) is None


def test_the_server_answers_in_the_form_that_is_demanded() -> None:
    demanded = {"type": "json_schema", "json_schema": {"name": "turn", "schema": Turn.model_json_schema()}}
    with MockServer(answer=answer) as server:
        for model, action in (("scripted-careful", ClickAction), ("scripted-finisher", DoneAction)):
            body = {"model": model, "messages": chat(1), "response_format": demanded}
            reply = httpx.post(f"{server.url}/chat/completions", json=body, trust_env=False, timeout=60).json()
            said = reply["choices"][0]["message"]["content"]
            assert isinstance(Turn.model_validate_json(said).action[0], action)


TREE = TABLES["tree"]
LOOP = [{"type": "function", "function": {"name": name}} for name in ("ariaTree", "act", "address")]
ENDS = [{"type": "function", "function": {"name": "done", "parameters": Ending.model_json_schema()}}]


def test_an_agent_that_reads_pages_by_a_tool_looks_clicks_and_ends() -> None:
    """As Stagehand calls a model: one continued chat, one call for each element, and one for the end."""
    chat: list[dict[str, Any]] = [{"role": "user", "content": "Decide on the refund of the loyal customer."}]
    clicked, parts = [], json.dumps([{"type": "text", "text": TREE}])
    results = {"ariaTree": parts, "act": '{"success":true}', "address": '"https://shop.test/orders/17"'}
    with MockServer(answer=answer) as server:

        def ask(model: str, messages: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
            body = {"model": model, "messages": messages, **more}
            said = httpx.post(f"{server.url}/chat/completions", json=body, trust_env=False, timeout=60).json()
            return dict(said["choices"][0]["message"])

        while calls := (said := ask("scripted-careful", chat, tools=LOOP)).get("tool_calls"):
            name, arguments = calls[0]["function"]["name"], json.loads(calls[0]["function"]["arguments"])
            clicked += [arguments["action"]] if name == "act" else []
            chat += [said, {"role": "tool", "tool_call_id": calls[0]["id"], "content": results[name]}]
        end = ask("scripted-careful", [*chat, said, {"role": "user", "content": "Your assessment?"}], tools=ENDS)
        form = {"type": "json_schema", "json_schema": {"name": "act", "schema": {"properties": {"action": {}}}}}
        acts = (*clicked, 'click the link "x"')
        asked = [{"role": "user", "content": f"instruction: {what}\n{TREE}"} for what in acts]
        meant = [json.loads(ask("scripted-careful", [item], response_format=form)["content"]) for item in asked]
        at_once = ask("scripted-finisher", chat[:1], tools=LOOP)
    assert clicked == ['click the link "Events of the loyal customer"', 'click the link "Customer Iris Vahl"']
    assert [item["action"] and item["action"]["elementId"] for item in meant] == ["0-7", "0-12", None]
    ending = Ending.model_validate_json(end["tool_calls"][0]["function"]["arguments"])
    assert ending.evidence == [
        Quote(source="https://shop.test/orders/17", quote="The loyal customer asked for a refund on 3 March.")
    ]
    assert not at_once.get("tool_calls")
