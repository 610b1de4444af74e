"""Agent loop: the loop of one phase. The agent sees, acts and reflects until it ends the phase or has no steps left."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from longtrail.agents.agent import Agent, Move, Reflection
from longtrail.browser.open_session import Session
from longtrail.browser.view import View
from longtrail.episode.phase_loop import MAX_RAW, PhaseContext, StepChanges, agent_error, check, check_start
from longtrail.errors import AgentError, HarnessTrouble
from longtrail.records.action import Action, Decide, Finish, Note
from longtrail.records.action_forms import refusal
from longtrail.records.axtree_text import elements
from longtrail.records.memory import describe
from longtrail.records.trajectory import AGENT_FAILED, MODEL_REFUSED, End, Outcome, Request, Step, Timing


@dataclass
class AgentLoop:
    """The phase loop of an agent that is asked for one action at a time, in a browser that we drive."""

    agent: Agent
    browser: Session
    context: PhaseContext
    _served: int = 0

    def play(self, done: Callable[[list[Step]], bool] = lambda _: False) -> End:
        """Take turns until the phase ends, or until `done` is true after a step. Raises HarnessTrouble; the journal
        keeps the steps up to then."""
        self._served = len(self.context.world.log.requests)
        check_start(self.context.world)
        changes = StepChanges(self.context.world)
        view = self._look()
        limit = self.context.steps_before + self.context.assignment.step_limit
        for number in range(self.context.steps_before + 1, limit + 1):
            step, end, view = self._turn(number, view)
            self.context.journal.add(changes.with_changes(step))
            if end is None and done(self.context.journal.steps):
                end = End(reason="all_key_steps", phase=self.context.assignment.phase)
                self.context.journal.last_page = view.observation
            if end is None and self.context.shift is not None and self.context.shift.session_is_over:
                end = End(reason="session", phase=self.context.assignment.phase)
            if end:
                break
        else:
            end = End(reason="step_limit", phase=self.context.assignment.phase, detail=f"{limit} steps")
        self.browser.rest()
        late = self._requests()
        self.context.journal.add_late(late, changes.of(late))
        self.context.journal.ends.append(end)
        return end

    def _turn(self, number: int, view: View) -> tuple[Step, End | None, View]:
        if reason := self.context.stop_reason():
            raise HarnessTrouble("cancelled", reason)
        start = time.monotonic()
        move, broken = self._next_move(view)
        thought_at = time.monotonic()
        self.browser.begin_step(_title(number, move, view))
        outcome, end = (self._refuse(AGENT_FAILED), broken) if broken else self._carry_out(move)
        after = view if end else self._look(outcome)
        outcome = outcome if end else self.browser.with_arrivals(outcome)
        self.browser.end_step(outcome.error or f"shows {outcome.url}")
        seen_at = time.monotonic()
        reflection, broken = (None, None) if end else self._reflection(outcome, after)
        end = end or broken
        done_at = time.monotonic()
        model_seconds = move.seconds + (reflection.seconds if reflection else 0.0)
        if move.model:
            self.context.journal.models.add(move.model)
        step = Step(
            number=number,
            phase=self.context.assignment.phase,
            observation=view.observation,
            summary=move.summary,
            thought=move.thought,
            action=move.action,
            raw=move.raw[:MAX_RAW],
            cut_off=move.action is None and move.cut_off,
            outcome=outcome,
            box=view.boxes.get(getattr(move.action, "id", "")),
            reflection=reflection.text if reflection else "",
            requests=self._requests(),
            page_errors=self.browser.page_errors(),
            usage=move.usage + reflection.usage if reflection else move.usage,
            summary_usage=move.summary_usage,
            timing=Timing(
                model=round(model_seconds, 4),
                browser=round(seen_at - thought_at, 4),
                harness=round(max(0.0, (thought_at - start) + (done_at - seen_at) - model_seconds), 4),
            ),
        )
        return step, end, after

    def _next_move(self, view: View) -> tuple[Move, End | None]:
        """The agent's next move, or the end of the phase if the agent fails."""
        limits = self.context.limits
        try:
            limits.check(self.context.journal.steps)
            with limits.turn():
                answer = self.agent.act(view)
        except AgentError as error:
            return Move(action=None), agent_error(error, self.context.assignment.phase)
        return answer if isinstance(answer, Move) else Move(action=answer), None

    def _reflection(self, outcome: Outcome, after: View) -> tuple[Reflection | None, End | None]:
        """The agent's reflection on an outcome, or the end of the phase if the agent fails."""
        try:
            with self.context.limits.turn():
                return self.agent.observe(outcome, after), None
        except AgentError as error:
            return None, agent_error(error, self.context.assignment.phase)

    def _carry_out(self, move: Move) -> tuple[Outcome, End | None]:
        """The action's outcome, and the end of the phase if it ends it (finish, decide, refusal)."""
        assignment, action = self.context.assignment, move.action
        if move.refused:
            return self._refuse(MODEL_REFUSED), End(reason="refusal", phase=assignment.phase, detail=move.raw[:400])
        if action is None:
            why = move.problem or "answer with one action of the given form"
            return self._refuse(f"this was no valid action: {why}"), None
        if problem := refusal(action, assignment.actions):
            return self._refuse(problem), None
        if isinstance(action, Decide):
            if action.decision not in assignment.decisions:
                words = ", ".join(assignment.decisions)
                return self._refuse(f"{action.decision[:40]!r} is no decision; choose one of {words}"), None
            return self._decide(action)
        if isinstance(action, Note):
            problem = self.context.shift.take_note(action) if self.context.shift else ""
            return self._refuse(problem) if problem else self._take(), None
        if isinstance(action, Finish):
            return self._take(), End(reason="finish", phase=assignment.phase, detail=action.answer[:400])
        crashes = len(self.context.world.log.crashes)
        outcome = self.browser.act(action)
        check(self.context.world)
        if len(self.context.world.log.crashes) > crashes:
            outcome = self._site_crashed(action, outcome)
        return outcome, None

    def _decide(self, action: Decide) -> tuple[Outcome, End | None]:
        """A valid decision ends the phase; in a shift, it goes to the inbox."""
        shift, phase = self.context.shift, self.context.assignment.phase
        if shift is None:
            return self._take(), End(reason="decide", phase=phase, detail=action.decision)
        if problem := shift.problem(action):
            return self._refuse(problem), None
        return self._take().model_copy(update={"note": shift.decided(action)}), None

    def _site_crashed(self, action: Action, outcome: Outcome) -> Outcome:
        """A site raised on a request. The step failed, as the agent composed the request: it typed an address or filled
        in a form. Raises HarnessTrouble after a click on a link, as the site offered that."""
        if action.type == "click" and outcome.target is not None and outcome.target.role == "link":
            raise HarnessTrouble("site_error", self.context.world.log.crashes[-1])
        return outcome.model_copy(update={"ok": False, "error": "the site could not answer this request"})

    def _refuse(self, error: str) -> Outcome:
        return Outcome(ok=False, error=error, url=self.browser.url)

    def _take(self) -> Outcome:
        return Outcome(ok=True, url=self.browser.url, violations=self.browser.new_violations())

    def _look(self, outcome: Outcome | None = None) -> View:
        """The current page. If an action never reached the browser, only its outcome has the error."""
        view = self.browser.observe()
        if outcome is not None:
            noted = {"note": outcome.note} if self.context.shift is not None and outcome.note else {}
            update = {"error": outcome.error, **noted}
            view = replace(view, observation=view.observation.model_copy(update=update))
        return self.context.with_shot(view)

    def _requests(self) -> tuple[Request, ...]:
        fresh = tuple(self.context.world.log.requests[self._served :])
        self._served += len(fresh)
        return fresh


def _title(number: int, move: Move, view: View) -> str:
    """A step in one line, with the name of its element."""
    acted_on = getattr(move.action, "id", "")
    element = next((element for element in elements(view.text) if acted_on and element.id == acted_on), None)
    return f"{number}. {describe(move.action, *((element.role, element.name) if element else ()))}: {move.thought}"
