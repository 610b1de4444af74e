"""External agent loop: one phase of an agent that drives the browser itself. Its steps are what was seen of it
from the outside.
"""

from collections.abc import Callable
from dataclasses import dataclass

from longtrail.agents.cdp import SECONDS, AgentProcess, AgentReport, TaskMessage
from longtrail.browser.agent_browser import AgentBrowser
from longtrail.browser.cdp_observer import ObservedStep
from longtrail.browser.view import View
from longtrail.episode.phase_loop import MAX_RAW, PhaseSetting, agent_error, check
from longtrail.errors import AgentError, HarnessTrouble
from longtrail.records.memory import render_history
from longtrail.records.trajectory import End, Outcome, Step, Timing

EVERY = 0.15
"""Seconds between two looks."""


@dataclass
class ExternalAgentLoop:
    """The phase loop of an agent that drives a browser of its own: it is started and watched."""

    words: list[str]
    """What starts the agent."""
    model: str | None
    options: dict[str, str]
    browser: AgentBrowser
    setting: PhaseSetting
    _number: int = 0
    _taken: int = 0
    """Pages opened and actions seen."""
    _served: int = 0

    def play(self, done: Callable[[list[Step]], bool] = lambda _: False) -> End:
        """Start the agent and watch it until it ends, or its steps or time do, or `done` says that all is reached.
        Raises HarnessTrouble; the steps up to then are in the journal."""
        self._served = len(self.setting.site.requests)
        running = AgentProcess(self.words, self._errand())
        try:
            end = self._follow(running, done)
        except AgentError as error:
            end = agent_error(error, self.setting.assignment.phase)
        finally:
            running.close()
        self.browser.rest()
        self.setting.journal.late(tuple(self.setting.site.requests[self._served :]))
        if self.browser.files:
            left = AgentError(f"the agent opened {self.browser.files[0]}, which is no page of the web")
            end = agent_error(left, self.setting.assignment.phase)
        self.setting.journal.ends.append(end)
        return end

    def _follow(self, running: AgentProcess, done: Callable[[list[Step]], bool]) -> End:
        phase, limit = self.setting.assignment.phase, self.setting.assignment.step_limit
        while True:
            ended = running.wait(EVERY)
            if reason := self.setting.stop_reason():
                raise HarnessTrouble("cancelled", reason)
            for happened in self.browser.look(last=ended):
                self._write(happened)
                self._taken += max(1, len(happened.outcome.navigations))  # pages that were left too fast to be read
                if done(self.setting.journal.steps):
                    return End(reason="all_key_steps", phase=phase)
                if self._taken >= limit:
                    return End(reason="step_limit", phase=phase, detail=f"{limit} steps")
            check(self.setting.site)
            if ended:
                return self._close(*running.report())
            if running.late:
                return End(reason="step_limit", phase=phase, detail=f"{self._seconds:g} seconds")

    @property
    def _seconds(self) -> float:
        return float(str(self.options.get("timeout", SECONDS)))

    def _errand(self) -> TaskMessage:
        assignment = self.setting.assignment
        return TaskMessage(
            prompt=assignment.prompt,
            cdp=self.browser.address,
            history=render_history(assignment.history),
            decisions=assignment.decisions,
            step_limit=assignment.step_limit,
            seconds=self._seconds,
            options=dict(self.options),
            model=self.model,
        )

    def _write(self, happened: ObservedStep) -> None:
        requests = tuple(self.setting.site.requests[self._served : happened.served])
        self._served = max(self._served, happened.served)
        self._number += 1
        self.setting.journal.steps.append(
            Step(
                number=self._number,
                phase=self.setting.assignment.phase,
                observation=self._shot(happened.before).observation,
                action=happened.action,
                outcome=happened.outcome,
                requests=requests,
            )
        )

    def _close(self, report: AgentReport | None, said: str) -> End:
        """The agent's last word as the last step."""
        phase, view = self.setting.assignment.phase, self.browser.watch.shown
        if view is None:
            raise HarnessTrouble("browser_crash", "the agent's browser showed no page at its end")
        action = report.action() if report else None
        wrong = (
            action is not None and action.type == "decide" and action.decision not in self.setting.assignment.decisions
        )
        valid = action is not None and action.type in self.setting.assignment.actions and not wrong
        error = "" if valid else "the agent's last line of output is no valid answer"
        self._number += 1
        if report and report.model:
            self.setting.journal.models.add(report.model)
        self.setting.journal.steps.append(
            Step(
                number=self._number,
                phase=phase,
                observation=self._shot(view).observation,
                thought=report.thought if report else "",
                action=action if valid else None,
                raw="" if valid else said[:MAX_RAW],
                outcome=Outcome(ok=valid, error=error, url=view.url, violations=self.browser.watch.leftover()),
                requests=tuple(self.setting.site.requests[self._served :]),
                timing=Timing(),
                **({"usage": report.usage} if report else {}),
            )
        )
        self._served = len(self.setting.site.requests)
        if valid and action is not None and action.type == "decide":
            return End(reason="decide", phase=phase, detail=action.decision)
        return End(reason="finish", phase=phase, detail=report.answer[:400] if report else error)

    def _shot(self, view: View) -> View:
        if view.image is None or self.setting.save_shot is None:
            return view
        name = self.setting.save_shot(f"{self.setting.assignment.phase}-{self._number + 1:02d}", view.image)
        return View(view.observation.model_copy(update={"screenshot": name}), view.image)
