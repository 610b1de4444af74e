"""What an estimate counts: real prompts, a first part that lengths share, histories that begin alike."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from longtrail.estimate.cases import Estimate, estimates, hours, usd
from longtrail.estimate.text import estimate_text, large_run_line, rubric_text, total_text
from longtrail.estimate.usage import CACHED_BY, CountedUsage, CountingModel
from longtrail.llm.client import Message
from longtrail.llm.limits import CallLimits
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer
from longtrail.llm.models import facts, usd_per_token
from longtrail.options.run_options import Options
from longtrail.records.site_reports import RUBRIC_TIMES
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.task import TASK, Task
from tests.tasks import examples


def estimate(
    *tasks: Task, lengths: tuple[int, ...] = (0,), agent: str = "webagent", model: str = "gpt-4.1"
) -> Estimate:
    contender = Contender(agent=agent, model=model)
    cases = plan({task.id: task for task in tasks}, Conditions(lengths=lengths, relocated=False, prompts=("raw",)))
    (found,) = estimates(cases, Options(contenders=(contender,), reports=Path("reports")))
    return found


@pytest.fixture(scope="module")
def long_context() -> Task:
    return TASK.validate_python(examples.long_context())


@pytest.fixture(scope="module")
def decision() -> Task:
    return TASK.validate_python(examples.decision())


@pytest.fixture(scope="module")
def server() -> Iterator[MockServer]:
    with MockServer() as running:
        yield running


def test_the_meter_counts_as_a_server_does(server: MockServer) -> None:
    """Two prompts, the second a continuation of the first: tokens within 1 %, cached tokens within a few blocks."""
    history = "Step 3\nURL: https://www.ikea.com/us/en/cat/rugs/\nThought: The rugs are sorted by price.\n" * 120
    client = LiteLLMClient("openai/scripted-finisher", {"api_base": server.url, "api_key": "none"})
    meter = CountingModel(Contender(agent="webagent", model="openai/scripted-finisher"), [], "done")
    for text in (history, history + "The page now shows three rugs."):
        messages = (Message(role="system", text="Rules."), Message(role="user", text=text))
        before = meter.spent.prompt_tokens, meter.spent.cached_tokens
        usage = client.complete(messages).usage
        meter.complete(messages)
        assert meter.spent.prompt_tokens - before[0] == pytest.approx(usage.prompt_tokens, rel=0.01)
        assert meter.spent.cached_tokens - before[1] == pytest.approx(usage.cached_tokens, abs=4 * CACHED_BY)


def test_a_history_is_paid_once_and_cached_from_then_on() -> None:
    asked = CountedUsage(calls=5, uncached_tokens=100, answer_tokens=7, histories=3)
    with_it = asked.with_history(50_000, known=25_088)
    assert with_it.prompt_tokens == 100 + 3 * 50_000
    assert with_it.uncached_tokens == 100 + 50_000 - 25_088


def test_lengths_share_the_first_part_and_their_beginnings(long_context: Task) -> None:
    one, three = estimate(long_context, lengths=(0,)), estimate(long_context, lengths=(0, 25_000, 50_000))
    more = three.whole.steps - one.whole.steps
    assert 0 < more < 2 * one.whole.steps, "the second part is played twice more, the first is not"
    grown = three.whole.uncached_tokens - one.whole.uncached_tokens
    assert grown < 100_000, (
        "half of the 50,000 tokens are the shorter history, which all calls but one find in the cache"
    )
    assert three.whole.prompt_tokens > 3 * 75_000


def test_a_summary_before_each_plan_and_an_audit_cost_calls(decision: Task) -> None:
    plain, irag, audit = (estimate(decision, agent=agent).whole.calls for agent in ("webagent", "irag", "audit"))
    steps = estimate(decision).whole.steps
    assert plain == 2 * steps - 1, "a plan and a reflection for each step but the last"
    assert irag == plain + steps
    assert audit == plain + 1


def test_limits_bound_the_estimate_from_above(decision: Task) -> None:
    found = estimate(decision)
    assert found.whole.steps < found.limit.steps == 25
    assert found.whole.prompt_tokens < found.limit.prompt_tokens


def test_prices_and_thinking() -> None:
    spent = CountedUsage(calls=1, uncached_tokens=1_000_000, cached_tokens=1_000_000, answer_tokens=1_000_000)
    known = facts("gpt-4.1")
    assert usd(spent, known, usd_per_token(known, {})) == pytest.approx(2.0 + 0.5 + 8.0)
    assert usd(spent, facts("openai/nobody-knows"), None) is None
    thinking, plain = (
        CountingModel(Contender(agent="webagent", model=model), [], "done") for model in ("o3", "gpt-4.1")
    )
    for meter in (thinking, plain):
        meter.complete((Message(role="user", text="Hello."),))
    assert thinking.spent.answer_tokens == plain.spent.answer_tokens + 1_000


def test_time_is_shared_by_workers_and_bound_by_limits() -> None:
    total = CountedUsage(cases=1, steps=100, calls=600, uncached_tokens=600_000, answer_tokens=6_000)
    free = hours(total, 1, None, None)
    assert free == pytest.approx((900 + 60 + 100 + 50) / 3600)
    assert hours(total, 4, None, None) == pytest.approx(free / 4)
    assert hours(total, 4, 10, None) == pytest.approx(1.0)
    assert hours(total, 4, None, 6_060) == pytest.approx(100 / 60)


def test_the_text_names_price_limits_and_budget(decision: Task) -> None:
    text = estimate_text(estimate(decision), CallLimits(rpm=1, budget=0.01), {}, 2)
    assert "webagent / gpt-4.1" in text
    assert "under --rpm 1" in text
    assert "The budget of $0.01 will end the run early." in text
    two = [estimate(decision), estimate(decision, model="gpt-4o")]
    costs = [usd(one.whole, facts(one.contender.model or ""), (2e-6, 8e-6)) for one in two]
    assert "budget" not in estimate_text(two[0], CallLimits(budget=0.01), {}, 2, alone=False)
    prices = {"input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6}
    together = total_text(two, CallLimits(budget=0.01), prices, 2)
    assert f"Cost: about ${sum(cost or 0 for cost in costs):,.2f}." in together
    assert "The budget of $0.01 will end the run early." in together
    assert "unknown" in total_text([*two, estimate(decision, model="openai/mine")], CallLimits(), {}, 1)
    unknown = estimate_text(estimate(decision, model="openai/mine"), CallLimits(), {}, 1)
    assert "Cost: unknown" in unknown
    own = {"input_cost_per_token": 1e-6, "output_cost_per_token": 1e-6}
    assert "Cost: about $0." in estimate_text(estimate(decision, model="openai/mine"), CallLimits(), own, 1)


def test_crossed_cases_carry_their_history(decision: Task) -> None:
    def spent(*lengths: int) -> CountedUsage:
        conditions = Conditions(lengths=lengths, prompts=("raw",), placements=("distraction",))
        contender = Contender(agent="webagent", model="gpt-4.1")
        options = Options(contenders=(contender,), reports=Path("reports"))
        (found,) = estimates(plan({decision.id: decision}, conditions), options)
        return found.whole

    alone, crossed, both = spent(0), spent(50_000), spent(25_000, 50_000)
    assert crossed.prompt_tokens - alone.prompt_tokens > 50_000 * (alone.calls // 2)
    assert crossed.uncached_tokens - alone.uncached_tokens < 60_000, "it is sent once, then cached"
    assert both.uncached_tokens < 2 * crossed.uncached_tokens - 20_000, "50k begins with 25k"


def test_a_rubric_is_asked_several_times(decision: Task) -> None:
    rubric = {"app": {"address": "http://127.0.0.1:8000"}, "instruction": "Why is it late?", "judge": "It says why."}
    app = TASK.validate_python({"suite": "app", "id": "late", **rubric})

    def text(*tasks: Task) -> str:
        cases = plan({task.id: task for task in tasks}, Conditions(prompts=("raw",), relocated=False))
        return rubric_text(cases, Options(contenders=(), reports=Path("reports"), judge="gpt-4.1-mini"))

    assert text(app).startswith(f"Rubrics, judged by gpt-4.1-mini: {RUBRIC_TIMES} calls more, ")
    assert "$0." in text(app)
    assert text(decision) == ""


def test_a_large_run_says_so_before_it_starts(long_context: Task) -> None:
    """By some of its cases; a small run, and one of a model without a price, say nothing."""
    cases = plan(
        {long_context.id: long_context}, Conditions(lengths=(0,), relocated=False, prompts=("raw",), repeats=1000)
    )

    def line(model: str, number: int, **limits: float) -> str:
        contender = Contender(agent="webagent", model=model)
        options = Options(contenders=(contender,), reports=Path("reports"), limits=CallLimits(**limits))
        return large_run_line(cases[:number], options, 2)

    said = r"1,000 cases will cost about \$[0-9.]+ and take about .+ \(see --estimate\)\. --budget N"
    assert re.match(said, line("gpt-4.1", 1000))
    assert line("gpt-4.1", 1000, budget=1.0).endswith("The budget of $1.00 will end the run early.")
    assert line("gpt-4.1", 2) == ""
    assert line("openai/scripted-careful", 20) == ""
