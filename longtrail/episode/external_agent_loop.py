"""External agent loop: one phase of an agent, or a person, that drives the browser itself. The steps are recorded from
outside."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.agents.cdp.process import AGENT_SECONDS, AgentReport, RunningAgent, TaskMessage
from longtrail.agents.cdp.served_evidence import AssignedRequest
from longtrail.episode.phase_loop import MAX_RAW, PhaseContext, StepChanges, agent_error, check, check_start
from longtrail.errors import AgentError, HarnessTrouble
from longtrail.records.memory import describe, render_history
from longtrail.records.trajectory import End, Outcome, Request, Step, Timing

EVERY = 0.15
"""Seconds between two observations."""


@dataclass
class ExternalAgentLoop:
    """The phase loop of an agent that drives its own browser: starts the agent and observes it."""

    start: Callable[[TaskMessage], RunningAgent]
    model: str | None
    options: dict[str, str]
    browser: AgentBrowser
    context: PhaseContext
    _steps: list[Step] = field(default_factory=list)
    """Steps of this phase: the last ones in the journal."""
    _waiting: list[AssignedRequest] = field(default_factory=list)
    """Requests whose step is not written yet."""
    _changes: StepChanges = field(init=False)
    _running: RunningAgent = field(init=False)

    def play(self, done: Callable[[list[Step]], bool] = lambda _: False) -> End:
        """Start the agent and observe it until it ends, its steps or time are used up, or `done` is true. Raises
        HarnessTrouble; the journal keeps the steps up to then."""
        self.browser.begin_phase()
        check_start(self.context.world)  # later, the agent composes all requests
        self._changes = StepChanges(self.context.world)
        self._running = self.start(self._message())
        try:
            with self.context.limits.turn():
                end = self._follow(done)
        except AgentError as error:
            if self.browser.crashed == "killed":  # a program that loses its page can hardly do otherwise
                message = f"a tab of the agent's browser was killed; what did it is unknown; {error.message}"
                raise HarnessTrouble("worker_crash", message) from error
            end = agent_error(error, self.context.assignment.phase)
        finally:
            self._running.close()
        self.browser.rest()
        if self._steps:
            for each in self.browser.assigned(last=True):
                self._add_request(each)
        self.context.journal.ends.append(end)
        return end

    def _follow(self, done: Callable[[list[Step]], bool]) -> End:
        phase, limit = self.context.assignment.phase, self.context.assignment.step_limit
        while True:
            ended = self._running.wait(EVERY)
            if reason := self.context.stop_reason():
                raise HarnessTrouble("cancelled", reason)
            for _ in self._written(last=ended):
                if done(self.context.journal.steps):
                    return End(reason="all_key_steps", phase=phase)
                if self._taken >= limit:
                    return End(reason="step_limit", phase=phase, detail=f"{limit} steps")
            check(self.context.world)
            self.context.limits.check(self.context.journal.steps)
            if ended:
                return self._close(*self._running.report())
            if self._running.timed_out:
                return End(reason="step_limit", phase=phase, detail=f"{self._seconds:g} seconds")

    @property
    def _seconds(self) -> float:
        return float(str(self.options.get("timeout", AGENT_SECONDS)))

    def _message(self) -> TaskMessage:
        assignment = self.context.assignment
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

    @property
    def _taken(self) -> int:
        """Number of opened pages and observed actions. A document that a script requested also counts as a page."""
        return sum(
            max(1, len(step.outcome.navigations)) + sum(request.scripted for request in step.requests)
            for step in self._steps
        )

    def _written(self, *, last: bool) -> Iterator[None]:
        """Record what happened as steps. A request that came after its step was recorded is added to it."""
        looked = self.browser.look(last=last)
        assigned = [*self._waiting, *self.browser.assigned(last=last)]
        happened = self.browser.compared_with_served(looked)
        known = len(self._steps) + len(happened)
        # More may have happened since that observation: later requests wait for the next one.
        self._waiting = [each for each in assigned if not last and (each.step is None or each.step >= known)]
        ready = [each for each in assigned if each not in self._waiting]
        late = [each for each in ready if each.step is None or not len(self._steps) <= each.step < known]
        if self._steps:
            for each in late:
                self._add_request(each)
            if late:
                yield
        else:
            self._waiting += late
        for step in happened:
            self._write(step, tuple(each.request for each in ready if each.step == step.number))
            yield

    def _add_request(self, assigned: AssignedRequest) -> None:
        """Add a request to a step that is already recorded."""
        last = len(self._steps) - 1
        place = last if assigned.step is None else min(assigned.step, last)
        step = self._steps[place]
        changes = (*step.changes, *self._changes.of([assigned.request]))
        update = {"requests": (*step.requests, assigned.request), "changes": changes}
        self._replace(place, step.model_copy(update=update))

    def _replace(self, place: int, step: Step) -> None:
        steps = self.context.journal.steps
        steps[len(steps) - len(self._steps) + place] = self._steps[place] = step

    def _write(self, happened: ObservedStep, requests: tuple[Request, ...]) -> None:
        outcome, target = happened.outcome, happened.outcome.target
        named = describe(happened.action, *((target.role, target.name) if target else ()))
        self.browser.record_step(f"{len(self._steps) + 1}. {named}", outcome.error or f"shows {outcome.url}")
        self._append(
            Step(
                number=len(self._steps) + 1,
                phase=self.context.assignment.phase,
                observation=self.context.with_shot(happened.before).observation,
                action=happened.action,
                outcome=happened.outcome,
                requests=requests,
            )
        )

    def _append(self, step: Step) -> None:
        step = self._changes.with_changes(step)
        self._steps.append(step)
        if seconds := self._running.step_observed(self._taken):
            step = self._steps[-1] = step.model_copy(update={"timing": Timing(person=seconds)})
        self.context.journal.add(step)

    def _close(self, report: AgentReport | None, said: str) -> End:
        """Record the agent's final answer as the last step."""
        phase, shown = self.context.assignment.phase, self.browser.observer.shown
        if shown is None:
            raise HarnessTrouble("browser_crash", "the agent's browser showed no page at its end")
        view = self.browser.view_compared_with_served(shown)
        action = report.action() if report else None
        wrong = (
            action is not None and action.type == "decide" and action.decision not in self.context.assignment.decisions
        )
        valid = action is not None and action.type in self.context.assignment.actions and not wrong
        error = "" if valid else "the agent's last line of output is no valid answer"
        if report and report.model:
            self.context.journal.models.add(report.model)
        self._append(
            Step(
                number=len(self._steps) + 1,
                phase=phase,
                observation=self.context.with_shot(view).observation,
                thought=report.thought if report else "",
                action=action if valid else None,
                raw="" if valid else said[:MAX_RAW],
                outcome=Outcome(ok=valid, error=error, url=view.url, violations=self.browser.observer.new_violations()),
                requests=tuple(each.request for each in self._waiting),
                **({"usage": report.usage} if report else {}),
            )
        )
        if valid and action is not None and action.type == "decide":
            return End(reason="decide", phase=phase, detail=action.decision)
        return End(reason="finish", phase=phase, detail=report.answer[:400] if report else error)
