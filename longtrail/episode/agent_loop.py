"""Agent loop: the loop of one phase. The agent sees, acts and reflects until it ends, or its steps do."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from longtrail.agents.agent import Agent, Assignment, Move
from longtrail.browser.view import View
from longtrail.errors import HarnessTrouble, TroubleKind
from longtrail.records.action import Action, Decide, Finish
from longtrail.records.trajectory import End, Outcome, Request, Step, Timing

MAX_RAW = 4_000
"""Longest piece of a malformed answer that is kept, in characters."""


class LoopBrowser(Protocol):
    """The browser as an episode uses it."""

    @property
    def url(self) -> str: ...

    def goto(self, url: str) -> None: ...

    def observe(self) -> View: ...

    def act(self, action: Action) -> Outcome: ...

    def arrivals(self) -> tuple[str, ...]:
        """Documents that came since the last action was thought to be over."""
        ...

    def leftover(self) -> tuple[str, ...]:
        """Violations since the last action."""
        ...


class SiteLog(Protocol):
    """The sites' side of an episode: what was served, and what broke there."""

    @property
    def requests(self) -> list[Request]: ...

    @property
    def faults(self) -> list[str]: ...

    @property
    def fault_kind(self) -> TroubleKind:
        """Of the last fault."""
        ...


@dataclass
class Journal:
    """What happened so far; filled at every step, so that trouble loses nothing."""

    steps: list[Step] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    models: set[str] = field(default_factory=set)
    """Model ids that the server reported."""


def check(site: SiteLog) -> None:
    """Raises HarnessTrouble if a site failed, or keeps us out."""
    if site.faults:
        raise HarnessTrouble(site.fault_kind, site.faults[-1])


SaveShot = Callable[[str, bytes], str]
"""Keeps a screenshot under a name; returns the file's name."""


@dataclass
class AgentLoop:
    """One phase of an episode: who plays, where, by which rules, and where it is written down."""

    agent: Agent
    assignment: Assignment
    seat: LoopBrowser
    site: SiteLog
    journal: Journal
    save_shot: SaveShot | None = None
    stop_reason: Callable[[], str] = str
    """Says, before each turn, why the whole run is to end; empty while it goes on."""
    _served: int = 0

    def play(self, done: Callable[[list[Step]], bool] = lambda _: False) -> End:
        """Take turns until the phase ends, or `done` says after a step that everything has been reached.
        Raises HarnessTrouble; the steps up to then are in the journal."""
        self._served = len(self.site.requests)
        check(self.site)
        view = self._look(0)
        for number in range(1, self.assignment.step_limit + 1):
            step, end, view = self._turn(number, view)
            self.journal.steps.append(step)
            if end is None and done(self.journal.steps):
                end = End(reason="all_key_steps", phase=self.assignment.phase)
            if end:
                break
        else:
            end = End(reason="step_limit", phase=self.assignment.phase, detail=f"{self.assignment.step_limit} steps")
        self.journal.ends.append(end)
        return end

    def _turn(self, number: int, view: View) -> tuple[Step, End | None, View]:
        if reason := self.stop_reason():
            raise HarnessTrouble("cancelled", reason)
        start = time.monotonic()
        answer = self.agent.act(view)
        thought_at = time.monotonic()
        move = answer if isinstance(answer, Move) else Move(action=answer)
        outcome, end = self._carry_out(move)
        after = view if end else self._look(number, outcome)
        outcome = outcome if end else self._with_arrivals(outcome)
        seen_at = time.monotonic()
        reflection = None if end else self.agent.observe(outcome, after)
        done_at = time.monotonic()
        model_seconds = move.seconds + (reflection.seconds if reflection else 0.0)
        if move.model:
            self.journal.models.add(move.model)
        step = Step(
            number=number,
            phase=self.assignment.phase,
            observation=view.observation,
            summary=move.summary,
            thought=move.thought,
            action=move.action,
            raw=move.raw[:MAX_RAW],
            outcome=outcome,
            reflection=reflection.text if reflection else "",
            requests=self._requests(),
            usage=move.usage + reflection.usage if reflection else move.usage,
            summary_usage=move.summary_usage,
            timing=Timing(
                model=round(model_seconds, 4),
                browser=round(seen_at - thought_at, 4),
                harness=round(max(0.0, (thought_at - start) + (done_at - seen_at) - model_seconds), 4),
            ),
        )
        return step, end, after

    def _carry_out(self, move: Move) -> tuple[Outcome, End | None]:
        """The action's outcome, and the end it brings (finish, decide, refusal)."""
        assignment, action = self.assignment, move.action
        if move.refused:
            return self._refuse("the model refused"), End(
                reason="refusal", phase=assignment.phase, detail=move.raw[:400]
            )
        if action is None:
            return self._refuse("this was no valid action; answer with one action of the given form"), None
        if action.type not in assignment.actions:
            return self._refuse(f"{action.type} is not possible here; use {', '.join(assignment.actions)}"), None
        if isinstance(action, Decide):
            if action.decision not in assignment.decisions:
                words = ", ".join(assignment.decisions)
                return self._refuse(f"{action.decision[:40]!r} is no decision; choose one of {words}"), None
            return self._take(), End(reason="decide", phase=assignment.phase, detail=action.decision)
        if isinstance(action, Finish):
            return self._take(), End(reason="finish", phase=assignment.phase, detail=action.answer[:400])
        outcome = self.seat.act(action)
        check(self.site)
        return outcome, None

    def _refuse(self, error: str) -> Outcome:
        return Outcome(ok=False, error=error, url=self.seat.url)

    def _take(self) -> Outcome:
        return Outcome(ok=True, url=self.seat.url, violations=self.seat.leftover())

    def _look(self, number: int, outcome: Outcome | None = None) -> View:
        """The page as it is now. Of an action that never reached the browser, only the outcome knows the error."""
        view = self.seat.observe()
        if outcome is not None and outcome.error != view.observation.error:
            view = replace(view, observation=view.observation.model_copy(update={"error": outcome.error}))
        if view.image is not None and self.save_shot is not None:
            name = self.save_shot(f"{self.assignment.phase}-{number + 1:02d}", view.image)
            view = replace(view, observation=view.observation.model_copy(update={"screenshot": name}))
        return view

    def _with_arrivals(self, outcome: Outcome) -> Outcome:
        """A page that takes its time to open after a click belongs to the click, as its request does."""
        late = self.seat.arrivals()
        if not late:
            return outcome
        return outcome.model_copy(update={"navigations": (*outcome.navigations, *late), "url": self.seat.url})

    def _requests(self) -> tuple[Request, ...]:
        fresh = tuple(self.site.requests[self._served :])
        self._served += len(fresh)
        return fresh
