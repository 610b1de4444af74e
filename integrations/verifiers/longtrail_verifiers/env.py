"""How a task is played: the page is the user's turn, the model's answer is the next action, the score is the reward."""

import asyncio

import verifiers.v1 as vf

from longtrail.environment.cases import move_from_text
from longtrail.environment.episode import TextEpisode
from longtrail.records.trajectory import Contender
from longtrail.scoring.catalog import PRIMARY
from longtrail_verifiers.taskset import CaseTask


class LongtrailEnvConfig(vf.EnvConfig):
    """The player is a plain chat, since its actions are carried out here."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class LongtrailEnv(vf.Env[LongtrailEnvConfig]):
    """One episode in a real browser. Raises HarnessTrouble if it is invalid: verifiers counts that as no result."""

    async def run(self, task: CaseTask, agents: vf.Agents) -> None:
        """Play the task, and record its reward and measures on the player's trace."""
        planned = await asyncio.to_thread(task.data.planned)
        episode = TextEpisode(planned.case, planned.task, Contender(agent="verifiers"))
        try:
            page = await asyncio.to_thread(episode.open)
            async with agents.player.interaction(task) as interaction:
                segment = await interaction.turn(page)
                while not segment.terminated:
                    move = move_from_text(segment.last_reply, episode.assignment)
                    page = await asyncio.to_thread(episode.move, move)
                    if episode.ended is not None:
                        break
                    segment = await interaction.turn(page)
        finally:
            await asyncio.to_thread(episode.stop)
        trace, ended = interaction.trace, episode.ended
        trace.record_reward(PRIMARY[planned.case.suite], ended.reward if ended else 0.0)
        if ended is not None:
            numbers = {name: value for name, value in ended.measures.items() if isinstance(value, int | float)}
            trace.record_metrics(numbers)
            trace.info["longtrail"] = {"outcome": ended.result.outcome, "reason": ended.result.reason}
