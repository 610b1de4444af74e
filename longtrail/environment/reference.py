"""The actions of a case's reference solution, to try an environment with. An agent under test must not see them."""

from longtrail.environment.episode import ATTEMPTS
from longtrail.environment.web import shared_browser, shared_web
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import PlannedCase


def reference_actions(planned: PlannedCase) -> tuple[Action, ...]:
    """Play the reference solution; its actions. Raises HarnessTrouble."""
    shared = shared_web(planned.case.variant)
    context = EpisodeContext(shared.web, shared_browser(), Contender(agent="oracle"))
    trajectory = play_once(planned.case, planned.task, context, next(ATTEMPTS))
    if trajectory.trouble is not None:
        raise HarnessTrouble(trajectory.trouble.kind, trajectory.trouble.message)
    return tuple(step.action for step in trajectory.steps if step.action)
