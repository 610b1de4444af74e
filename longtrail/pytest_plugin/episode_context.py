"""Episode context: what a case's episode needs, made from its worker's fixtures."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from longtrail.agents import oracle
from longtrail.agents.agent import AgentFactory
from longtrail.agents.spec import AgentSpec
from longtrail.browser.session import Browser
from longtrail.episode.context import EpisodeContext, EpisodeSettings, FirstPartCache
from longtrail.episode.open_app import OpenApp
from longtrail.llm.client import ModelClient
from longtrail.noise.pool import NoisePool
from longtrail.options.run_options import Options
from longtrail.records.trajectory import Contender
from longtrail.runs.model_calls import keep_calls
from longtrail.runs.store import Run
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import Planned

if TYPE_CHECKING:
    from longtrail.web.sealed import SealedWeb


def on_own_app(planned: Planned, options: Options) -> bool:
    """Whether a case is played on an app of the user's, not on the embedded sites or the real ones."""
    return isinstance(planned.task, AppTask) or planned.task.suite in options.sites


def episode_context(
    planned: Planned,
    options: Options,
    run: Run,
    web: "SealedWeb",
    browser: Browser,
    contender: Contender,
    factory: AgentFactory,
    model: ModelClient | None,
    pool: Callable[[], NoisePool],
    prompt: str,
    first_parts: FirstPartCache,
    app: Callable[[], OpenApp] | None = None,
) -> EpisodeContext:
    """Everything that the case's episode needs."""
    spec = AgentSpec.parse(contender.agent)
    eyes = contender.vision and (not spec.knows_reference or oracle.looks(planned.task))
    return EpisodeContext(
        web=web,
        app=app,
        browser=browser,
        contender=contender,
        factory=factory,
        model=model,
        options=options.agent_args,
        cassette=options.cassette,
        pool=pool,
        prompt=prompt,
        settings=EpisodeSettings.chosen(options),
        data_checksum=run.manifest.data,
        shots=options.shots or eyes,
        save_shot=run.save_shot,
        keep_calls=partial(keep_calls, run.folder),
        stop_reason=lambda: run.stop_reason,
        first_parts=first_parts,
    )
