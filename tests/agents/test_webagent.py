"""The webagent and irag, driven by the scripted models over real HTTP, through real litellm."""

from collections.abc import Iterator

import pytest

from longtrail.agents.agent import Agent, Assignment, Equipment, Move, Reflection
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.errors import UsageError
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer
from longtrail.records.action import Click, Decide
from longtrail.records.memory import MemoryStep, PastTask, render_history
from longtrail.records.trajectory import Outcome, Target
from tests.agents.views import case, task, view

HOME = view(' [1] link "Rooms"\n [2] link "Home essentials"\n [3] link "Stores"')
ESSENTIALS = view(
    ' heading "Home essentials" level=1\n [4] link "Under $10"\n Spoons, mops and lids from $1.49 to $29.99.',
    url="https://www.ikea.com/us/en/essentials/",
    title="Home essentials",
)
PAST = (
    PastTask(
        instruction="Find the home essentials at IKEA.",
        steps=(
            MemoryStep(
                url="https://www.ikea.com/us/en/essentials/", seen="Home essentials", thought="There.", action="finish"
            ),
        ),
    ),
    PastTask(
        instruction="Check the weather in Oslo.",
        steps=(MemoryStep(url="https://www.yr.no/oslo", seen="Oslo", thought="Rain, 4 degrees.", action="finish"),),
    ),
)


@pytest.fixture(scope="module")
def server() -> Iterator[MockServer]:
    with MockServer() as running:
        yield running


def _agent(server: MockServer, model: str, assignment: Assignment, name: str = "webagent", **options: object) -> Agent:
    vision = options.pop("vision", False)
    client = LiteLLMClient(f"openai/{model}", {"api_base": server.url, "api_key": "none", "vision": vision})
    return AgentSpec.parse(name).factory(assignment, Equipment(client, dict(options)))


def _move(agent: Agent, page: View) -> Move:
    move = agent.act(page)
    assert isinstance(move, Move)
    return move


def _prompts(server: MockServer, last: int = 1) -> list[str]:
    return ["\n".join(str(each["content"]) for each in asked.body["messages"]) for asked in server.requests[-last:]]


def test_plans_acts_reflects_and_remembers(server: MockServer) -> None:
    agent = _agent(server, "scripted-careful", task())
    first = _move(agent, HOME)
    assert first.action == Click(id="2")
    assert first.thought == '"Home essentials" fits the task.'
    assert first.usage.calls == 1
    assert first.seconds > 0
    assert first.model == "scripted-careful"
    done = Outcome(ok=True, target=Target(role="link", name="Home essentials"), url=ESSENTIALS.url)
    reflection = agent.observe(done, ESSENTIALS)
    assert isinstance(reflection, Reflection)
    assert reflection.text.startswith('After click link "Home essentials" the page is Home essentials.')
    assert reflection.usage.calls == 1
    second = _move(agent, ESSENTIALS)
    assert second.action == Click(id="4")
    (prompt,) = _prompts(server)
    assert (
        'Step 1\nURL: https://www.ikea.com/us/en/\nSeen: IKEA\nThought: "Home essentials" fits the task.\n'
        f'Action: click link "Home essentials"\nReflection: {reflection.text}\n'
    ) in prompt
    assert "Step 2 of at most 10." in prompt


def test_each_prompt_begins_as_the_one_before(server: MockServer) -> None:
    agent = _agent(server, "scripted-careful", task(history=PAST), reflect=False)
    texts = []
    for page in (HOME, ESSENTIALS, HOME):
        _move(agent, page)
        texts.append(str(server.requests[-1].body["messages"][1]["content"]))
        agent.observe(Outcome(ok=True, url=page.url), page)
    memories = [text.partition("\n# The page now")[0] for text in texts]
    assert memories[0].startswith(f"# Earlier tasks\n\n{render_history(PAST)}# Current task\n")
    assert memories[1].startswith(memories[0])
    assert memories[2].startswith(memories[1])
    assert len(memories[2]) > len(memories[1]) > len(memories[0])


def test_a_failed_action_is_remembered_as_such(server: MockServer) -> None:
    agent = _agent(server, "scripted-careful", task(), reflect=False)
    _move(agent, HOME)
    assert agent.observe(Outcome(ok=False, error="element 2 is covered", url=HOME.url), HOME) is None
    _move(agent, view("nothing", error="element 2 is covered"))
    (prompt,) = _prompts(server)
    assert "(failed: element 2 is covered)" in prompt
    assert "Your last action failed: element 2 is covered" in prompt


def test_one_repair_then_a_malformed_step(server: MockServer) -> None:
    mended = _move(_agent(server, "scripted-malformed-once", task()), HOME)
    assert mended.action == Click(id="2")
    assert mended.usage.calls == 2
    assert mended.raw == ""
    assert mended.summary_usage is None
    (prompt,) = _prompts(server)
    assert "That was no valid answer: it holds no JSON object with an action." in prompt
    agent = _agent(server, "scripted-malformed", task())
    broken = _move(agent, HOME)
    assert broken.action is None
    assert not broken.refused
    assert broken.usage.calls == 2
    assert broken.raw == "I would click the second link on this page, the one at the top."
    before = len(server.requests)
    assert agent.observe(Outcome(ok=False, error="no valid action", url=HOME.url), HOME) is None
    assert len(server.requests) == before, "there is nothing to reflect on"
    _move(agent, HOME)
    assert "Action: an invalid action (failed: no valid action)" in _prompts(server)[0]


def test_an_answer_that_was_cut_off_is_asked_for_again(server: MockServer) -> None:
    mended = _move(_agent(server, "scripted-careful@length=30:1", task()), HOME)
    assert mended.action == Click(id="2")
    assert "It was cut off because it was too long" in _prompts(server)[0]


def test_a_refusal_ends_it_without_repair(server: MockServer) -> None:
    move = _move(_agent(server, "scripted-refuser", task()), HOME)
    assert move.refused
    assert move.action is None
    assert move.raw == "I can't help with that."
    assert move.usage.calls == 1


def test_decides_with_evidence_from_its_own_past(server: MockServer) -> None:
    agent = _agent(server, "scripted-careful", case(), reflect=False)
    orders = view(' [5] tab "Comments History"\n IP belongs to a TOR exit node, order 635 of 2 March')
    assert _move(agent, orders).action == Click(id="5")
    agent.observe(Outcome(ok=True, target=Target(role="tab", name="Comments History"), url=orders.url), orders)
    decided = _move(agent, view("Nothing else.")).action
    assert isinstance(decided, Decide)
    assert decided.decision == "DENY"
    assert decided.evidence[0].quote == "IP belongs to a TOR exit node, order 635 of 2 March"
    assert "Decisions: APPROVE, DENY, ESCALATE" in _prompts(server)[0]


def test_pictures_go_to_models_that_see(server: MockServer) -> None:
    seen = View(HOME.observation, b"\xff\xd8picture")
    _move(_agent(server, "scripted-careful", task()), seen)
    assert isinstance(server.requests[-1].body["messages"][1]["content"], str)
    _move(_agent(server, "scripted-careful", task(), vision=True), seen)
    parts = server.requests[-1].body["messages"][1]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url"]
    assert "The picture shows the same page" in server.requests[-1].body["messages"][0]["content"]


def test_irag_summarises_before_each_plan(server: MockServer) -> None:
    agent = _agent(server, "scripted-careful", task("Put the essentials into the favourites.", PAST), "irag")
    before = len(server.requests)
    move = _move(agent, view("An empty page.", url="https://www.yr.no/oslo"))
    assert len(server.requests) - before == 2
    assert "Task: Find the home essentials at IKEA." in move.summary
    assert "Oslo" not in move.summary
    assert move.usage.calls == 2
    assert move.summary_usage is not None
    assert move.summary_usage.calls == 1
    assert 0 < move.summary_usage.prompt_tokens < move.usage.prompt_tokens
    recall, plan = (asked.body["messages"] for asked in server.requests[-2:])
    assert recall[0] == plan[0], "both calls begin alike, so that a provider's cache serves one from the other"
    head = recall[1]["content"].partition("\n# The page now")[0]
    assert plan[1]["content"].startswith(head)
    assert f"# What matters from before\n\n{move.summary}\n" in plan[1]["content"]
    assert server.requests[-2].body["max_tokens"] < server.requests[-1].body["max_tokens"]


def test_options(server: MockServer) -> None:
    _move(_agent(server, "scripted-careful", task(), max_tokens="77"), HOME)
    assert server.requests[-1].body["max_tokens"] == 77
    for options, problem in ({"max_tokens": "many"}, "max_tokens='many'"), ({"reflect": 3}, "reflect=3"):
        with pytest.raises(UsageError, match=problem):
            _agent(server, "scripted-careful", task(), **options)
