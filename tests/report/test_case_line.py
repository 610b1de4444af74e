"""Case line: what a worker reports of a case arrives unchanged and stays small."""

from longtrail.report.progress import PROPERTY, CaseLine, trace_href
from tests.report.made_episodes import lost_episode


def test_a_result_in_one_line() -> None:
    trajectory, result = lost_episode()
    line = CaseLine.from_result(result)
    assert (line.id, line.outcome, line.stage, line.steps) == ("steam_dota_dlc-150k-r0", "failed", "a1", 7)
    assert line.contender == "webagent / openai/gpt-4.1"
    assert line.tokens == trajectory.usage.prompt_tokens + trajectory.usage.completion_tokens
    assert line.trace == "traces/steam_dota_dlc-150k-r0.html"
    assert CaseLine.from_result(result, "elsewhere.html").trace == "elsewhere.html"


def test_the_last_property_counts() -> None:
    line = CaseLine.from_result(lost_episode()[1])
    again = line.model_copy(update={"outcome": "passed"})
    properties = [("other", 1), (PROPERTY, line.model_dump_json()), (PROPERTY, again.model_dump_json())]
    assert CaseLine.of(properties) == again
    assert CaseLine.of([("other", "x")]) is None


def test_long_texts_are_cut() -> None:
    result = lost_episode()[1].model_copy(update={"reason": "x" * 10_000})
    assert len(CaseLine.from_result(result).model_dump_json()) < 1_500
    assert len(trace_href("a" * 400)) < 150
    assert trace_href("a" * 400) != trace_href("a" * 401)
