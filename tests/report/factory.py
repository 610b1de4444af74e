"""Runs as records: several contenders, the papers' suites, all lengths and prompts, invalid cases. Always the same."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Provenance, Suite, Timing, Trouble, Usage
from longtrail.report.leaderboard.board import RunResults

LENGTHS = (0, 25_000, 50_000, 75_000, 100_000, 125_000, 150_000)
LONG_TASKS = (
    "ikea_favorites", "steam_dota_dlc", "mbta_reduced_fare", "ticketcenter_boston", "carnival_bahamas", "sixflags_map",
    "guitar_beginner", "nps_yellowstone", "yelp_brunch", "imdb_watchlist", "ebay_bids", "koa_campsite",
)  # fmt: skip
SHOP = (
    "obvious_fraud", "legitimate_customer", "looks_bad_is_good", "looks_good_is_bad", "warehouse_operational",
    "security_threat", "no_explicit_note", "edge_case",
)  # fmt: skip
FORUM = (
    "cross_subreddit_spam", "user_history_context", "coordinated_brigading", "fact_check_source",
    "fact_check_multimodal",
)  # fmt: skip
PROVENANCE = Provenance(longtrail="0.1.0", data="5f1c0de7a2b4", task="9c41aa07e3d2", browser="Chromium 156.0.7000.0")


@dataclass(frozen=True)
class Skill:
    """How good a contender is, as probabilities in [0, 1]."""

    start: float
    """Chance of success without noise."""
    fade: float
    """Share of it that is lost with 150,000 tokens of noise."""
    looks: float
    """Chance that all evidence is delivered with the raw prompt."""
    judges: float
    """Chance of the right decision."""
    trouble: float = 0.0
    usd: float | None = 0.004
    """Per 1,000 prompt tokens; None: unknown."""


CONTENDERS: tuple[tuple[Contender, Skill], ...] = (
    (Contender(agent="webagent", model="openai/gpt-4.1", vision=True), Skill(0.58, 0.86, 0.34, 0.62, 0.01)),
    (Contender(agent="webagent", model="openai/o4-mini"), Skill(0.64, 0.52, 0.41, 0.58, 0.02)),
    (Contender(agent="irag", model="openai/gpt-4.1", vision=True), Skill(0.55, 0.44, 0.37, 0.6, 0.0)),
    (Contender(agent="webagent", model="anthropic/claude-sonnet-4-5"), Skill(0.78, 0.34, 0.56, 0.7, 0.03)),
    (Contender(agent="webagent", model="together_ai/Qwen3-235B"), Skill(0.42, 0.7, 0.3, 0.66, 0.11, None)),
    (Contender(agent="oracle"), Skill(1.0, 0.0, 1.0, 1.0, usd=0.0)),
    (Contender(agent="nothing"), Skill(0.0, 0.0, 0.0, 0.0, usd=0.0)),
    (Contender(agent="constant"), Skill(0.0, 0.0, 0.0, 0.45, usd=0.0)),
)


def runs() -> list[RunResults]:
    """A small early run, a fuller one of the same suite that replaces it, and a run of both decision suites."""
    early = [result for result in long_context(repeats=1, tasks=LONG_TASKS[:4]) if "gpt" in str(result.contender.model)]
    return [
        RunResults("2026-03-12-smoke", early),
        RunResults("2026-03-14-long-context", list(long_context())),
        RunResults("2026-03-16-decisions", [*decisions("shopping_admin", SHOP), *decisions("reddit", FORUM)]),
    ]


def long_context(repeats: int = 2, tasks: Iterable[str] = LONG_TASKS) -> Iterator[Result]:
    """Every contender on every task at every length, and the `relocated` control."""
    for contender, skill in CONTENDERS:
        for number, task in enumerate(tasks):
            for repeat in range(repeats):
                for tokens, relocated in [(0, True), *((length, False) for length in LENGTHS)]:
                    luck = random.Random(f"{contender.label} {task} {tokens} {relocated} {repeat}")
                    yield _long_case(contender, skill, task, number, tokens, relocated, repeat, luck)


def _long_case(
    contender: Contender,
    skill: Skill,
    task: str,
    number: int,
    tokens: int,
    relocated: bool,
    repeat: int,
    luck: random.Random,
) -> Result:
    case = Case(
        id=f"{task}-{'relocated' if relocated else f'{tokens // 1000}k'}-r{repeat}",
        suite="long_context", task=task, repeat=repeat, noise_tokens=tokens, relocated=relocated,
    )  # fmt: skip
    if luck.random() < skill.trouble:
        return _invalid(case, contender, "")
    chance = skill.start * (1 - skill.fade * tokens / 150_000) * (
        0.93 if relocated and skill.start < 1 else 1
    ) + 0.02 * (number % 5 - 2) * (0 < skill.start < 1)
    won = luck.random() < chance
    back = won or (contender.agent != "nothing" and luck.random() < 0.5)
    ending = "success" if won else luck.choice(["loop", "loop", "inefficient_progress", "false_end", "other"])
    if contender.agent in ("nothing", "constant"):
        ending = "false_end"
    metrics: dict[str, Metric] = {
        "success": Metric(value=won, reason="all key steps" if won else "the cart was never reached"),
        "success_a1": Metric(value=won or luck.random() < skill.start, reason="first part"),
        "success_a2": Metric(value=won, reason="second part"),
        "success_given_a1": Metric(value=won if won or chance > 0.3 else None, reason="second part, given the first"),
        "key_step_rate": Metric(value=1.0 if won else round(luck.random() * chance, 3), reason="hit / all"),
        "paper_success": Metric(value=won and chance > 0.4, reason="the annotated route"),
        "answered": Metric(value=won if len(task) % 2 else None, reason="what was asked for"),
        "error_category": Metric(value=ending, reason="how it ended"),
        "steps_over_reference": Metric(value=1.0 + luck.random() * (contender.agent != "oracle"), reason="steps"),
    }
    if tokens:
        metrics["retrieval"] = Metric(value=f"T{'S' if won else 'F'}_R{'S' if back else 'F'}", reason="after the noise")
    return _result(case, contender, skill, metrics, won, ending, tokens or 6_000, luck)


def decisions(suite: Suite, categories: tuple[str, ...], per_category: int = 3) -> Iterator[Result]:
    """Every contender on every task under every prompt."""
    prompts: tuple[Literal["raw", "hint", "explicit"], ...] = ("raw", "hint", "explicit")
    for contender, skill in CONTENDERS:
        for hardness, category in enumerate(categories):
            for number in range(per_category):
                for prompt in prompts:
                    task = f"{category}_{number}"
                    case = Case(id=f"{task}-{prompt}-r0".replace("_", "-"), suite=suite, task=task, prompt=prompt)
                    luck = random.Random(f"{contender.label} {case.id}")
                    yield _decision_case(case, contender, skill, category, hardness / len(categories), luck)


def _decision_case(
    case: Case, contender: Contender, skill: Skill, category: str, hardness: float, luck: random.Random
) -> Result:
    if luck.random() < skill.trouble:
        return _invalid(case, contender, category)
    perfect = contender.agent == "oracle"
    help_ = {"raw": 1.0, "hint": 1.5, "explicit": 1.8}[str(case.prompt)]
    seen = perfect or luck.random() < skill.looks * help_ * (1.2 - hardness)
    said = 1.0 if perfect else luck.choice([1.0, 1.0, 0.5]) if seen else luck.choice([0.0, 0.0, 0.25])
    completed = perfect or (contender.agent != "nothing" and luck.random() < 0.93)
    judged = skill.judges * {"raw": 1.0, "hint": 0.95, "explicit": 0.82}[str(case.prompt)]
    right = (1.0 if perfect or luck.random() < judged else luck.choice([0.8, 0.0, 0.0])) if completed else 0.0
    done = perfect or (right == 1.0 and contender.model is not None and luck.random() < 0.6)
    proven = seen * said * right
    harm = "optimal" if right == 1 else "acceptable" if right else luck.choice(["wrong", "harmful"])
    touched = seen or (contender.model is not None and luck.random() < 0.4)
    named = 1.0 if perfect else luck.random() if contender.model else 0.0
    values: dict[str, bool | float | str | None] = {
        "completed": completed, "investigation": seen, "evidence_share": 1.0 if seen else 0.3 * luck.random(),
        "reasoning": said, "decision": right, "proven": proven, "executed": done, "proven_executed": proven * done,
        "harm": harm if completed else None, "harmful": (harm == "harmful") if completed else None,
        "paper_investigation": touched, "paper_reasoning": named, "paper_proven": touched * named * right,
        "paper_efficiency_cumulative": 2.2 * luck.random(), "evidence_quality": float(luck.randrange(8)),
    }  # fmt: skip
    metrics = {name: Metric(value=value, reason="from the trajectory") for name, value in values.items()}
    return _result(case, contender, skill, metrics, proven == 1.0, category, 9_000, luck)


def _result(
    case: Case, contender: Contender, skill: Skill, metrics: dict[str, Metric], won: bool, category: str, size: int,
    luck: random.Random,
) -> Result:  # fmt: skip
    steps = luck.randrange(4, 16)
    calls = steps if contender.model else 0
    prompt = calls * size
    usage = Usage(
        calls=calls, prompt_tokens=prompt, cached_tokens=int(prompt * 0.8), completion_tokens=calls * 190,
        usd=None if skill.usd is None else skill.usd * prompt / 1000,
    )  # fmt: skip
    return Result(
        case=case,
        contender=contender,
        provenance=PROVENANCE,
        outcome="passed" if won else "failed",
        reason="every key step was reached" if won else "the second part was not finished",
        category=category,
        stage="a2" if won else "a1",
        metrics=metrics,
        steps=steps,
        usage=usage,
        timing=Timing(model=4.1 * calls, browser=0.2 * steps, harness=0.01 * steps),
        seconds=4.4 * calls + 0.25 * steps,
    )


def _invalid(case: Case, contender: Contender, category: str) -> Result:
    return Result(
        case=case,
        contender=contender,
        provenance=PROVENANCE,
        outcome="invalid",
        reason="llm_server: 503 from the model's server, three times",
        category=category,
        trouble=Trouble(kind="llm_server", message="503 from the model's server, three times"),
    )
