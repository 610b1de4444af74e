"""Equipped player: a worker's `Player`, made from the worker's fixtures."""

from collections.abc import Callable
from typing import Any

from longtrail.agents.spec import AgentSpec
from longtrail.episode.context import EpisodeContext, FirstPartCache
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.episode_context import episode_context
from longtrail.pytest_plugin.player import Player
from longtrail.pytest_plugin.units import unit_of
from longtrail.runs.store import Run
from longtrail.tasks.briefing import case_prompt
from longtrail.tasks.cases import Planned


def equipped_player(options: Options, run: Run, fixture: Callable[[str], Any]) -> Player:
    """`fixture` gives a session's fixture by its name; those that are used are closed after the player."""
    web, browser, pool = (fixture(f"longtrail_{name}") for name in ("web", "browser", "noise_pool"))
    client, limiter, judge = (fixture(f"longtrail_{name}") for name in ("model_client", "limiter", "judge_client"))

    def context(planned: Planned, first_parts: FirstPartCache) -> EpisodeContext:
        contender = contender_of(planned, options)
        factory = AgentSpec.parse(contender.agent).factory
        model = client(contender.model) if contender.model else None
        prompt = case_prompt(planned.task, planned.case)
        return episode_context(
            planned, options, run, web, browser, contender, factory, model, pool, prompt, first_parts
        )

    def begin(context: EpisodeContext) -> None:
        limiter.who = context.contender.label

    return Player(run, options.episodes_per_worker, unit_of, context, begin, judge)
