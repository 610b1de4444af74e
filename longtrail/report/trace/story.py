"""The outcome of an episode in a few plain sentences, with the steps that they speak of."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.checks.decisions import ACCEPTABLE, decision_score
from longtrail.checks.facts import Fact
from longtrail.records.result import FactResult, Result
from longtrail.records.trajectory import Phase, Trajectory
from longtrail.report.text import clip
from longtrail.report.trace.evidence import named_in, page_in_words, record_of
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.shown_pages import ShownPage
from longtrail.scoring.verdict import cause
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.task import DecisionTask, Task
from longtrail.text.folding import squeeze
from longtrail.yaml_file import read_yaml

_FUNCTION_WORDS = frozenset(read_yaml(Path(__file__).with_name("function_words.yaml")).split())
"""Words that lose their capital within a sentence; others may be names."""
LONGEST_CAUSE = 200
MOST = 2
"""How many pieces of evidence are named; further ones are counted."""
Piece = str | int
"""A piece of the story: text, or the place in the episode (from 1) of a step that it speaks of."""


def inner(sentence: str) -> str:
    """A sentence as part of another one."""
    first, space, remainder = sentence.rstrip(".").partition(" ")
    bare = first.split("'")[0].casefold()
    return f"{first[:1].lower() + first[1:] if bare in _FUNCTION_WORDS else first}{space}{remainder}"


def ended(trajectory: Trajectory, phase: Phase) -> str:
    """Why a phase ended, in words."""
    end = trajectory.end(phase)
    if end is None:
        return "it was never begun"
    reason = cause(end, [step for step in trajectory.steps if step.phase == phase])
    if reason is not None and reason.steps:
        which = f"{reason.steps} of {reason.of}" if reason.steps < reason.of else f"each of its {reason.of}"
        return f"{which} steps failed: {clip(reason.message.rstrip('.'), LONGEST_CAUSE)}"
    sentences = {
        "finish": "the agent said that it was done",
        "decide": "the agent decided",
        "all_key_steps": "all key steps were reached",
        "step_limit": "its steps were used up",
        "trouble": "something broke that is not the agent's doing",
        "refusal": "the model refused",
        "agent_error": f"the agent itself failed: {end.detail}",
    }
    return sentences[end.reason]


def app_pieces(trajectory: Trajectory, result: Result, task: AppTask) -> Iterator[Piece]:
    """What was decided, which key step is missing, which evidence was not seen or not given, and where it ended."""
    if task.decision is not None:
        given = result.word("answer") or None
        acceptable = given in task.decision.acceptable
        yield f"{_decision_sentence(given, task.decision.optimal, acceptable, ended(trajectory, 'main'))} "
    if any(not key.hit for key in result.key_steps):
        yield _missed_first(result)
    elif keys := len(result.key_steps):
        yield f"All {keys} key steps were reached." if keys > 1 else "The key step was reached."
    unseen = [fact for fact in result.facts if fact.delivered is None]
    for fact in unseen[:MOST]:
        yield f" It never saw that {inner(fact.says)}."
    yield from _more_unseen(unseen)
    ungiven = [fact for fact in result.facts if fact.delivered is not None and not fact.counted]
    for fact in ungiven[:MOST]:
        places = (i for i, step in enumerate(trajectory.steps, 1) if step.number == fact.delivered)
        yield from _not_given(fact, next(places, 0))
    if result.outcome != "passed" and trajectory.steps:
        yield from (" It ended at ", len(trajectory.steps), f": {ended(trajectory, 'main')}.")


def _decision_sentence(answer: str | None, right: str, acceptable: bool, end: str) -> str:
    """The decision and its worth. `end`: why the phase ended."""
    if not answer:
        return f"Gave no decision ({end}); right was {right}."
    if answer == right:
        return f"Decided {answer}, which is right."
    return f"Decided {answer}{', which is acceptable; best' if acceptable else '; right'} was {right}."


def _missed_first(result: Result, part: str = "") -> str:
    """How many key steps were reached, and which is the first that was not. `part`: of the task, where it has two."""
    missed = [key for key in result.key_steps if not key.hit]
    count = f"{len(result.key_steps) - len(missed)} of {len(result.key_steps)} key steps"
    name = missed[0].name.replace("-", " ") + (f" ({part})" if part else "")
    return f"Reached {count}. Missed first: {name}: {missed[0].reason.rstrip('.')}."


def _more_unseen(unseen: Sequence[FactResult]) -> Iterator[Piece]:
    if len(unseen) > MOST:
        yield f" {len(unseen) - MOST} more pieces of evidence were never seen."


def _not_given(fact: FactResult, seen_at: Piece) -> Iterator[Piece]:
    yield from (f" It saw that {inner(fact.says)} (", seen_at, "), but did not give it as a reason.")


@dataclass(frozen=True, slots=True)
class Story:
    pieces: tuple[Piece, ...]

    @property
    def decisive_step(self) -> int | None:
        """The most informative step (from 1): where the agent came nearest, or went wrong."""
        return next((piece for piece in self.pieces if isinstance(piece, int)), None)

    @property
    def text(self) -> str:
        """All of it as plain text."""
        return "".join(f"step {piece}" if isinstance(piece, int) else piece for piece in self.pieces)


def story(trajectory: Trajectory, result: Result, task: Task | None) -> Story:
    """Tell the outcome of an episode."""
    if result.outcome == "invalid":
        return Story((f"It counts neither way: {result.reason}",))
    pieces: Iterable[Piece] = ()
    if isinstance(task, DecisionTask):
        pieces = _decided(DecisionView(task, trajectory), result)
    elif isinstance(task, AppTask):
        pieces = app_pieces(trajectory, result, task)
    elif result.key_steps and result.case.suite != "app":  # without its task, an own app's case has a reason only
        pieces = _long(trajectory, result)
    return Story(tuple(pieces) or (result.reason,))


def _decided(view: DecisionView, result: Result) -> Iterator[Piece]:
    truth, end = view.task.truth, ended(view.trajectory, "main")
    acceptable = view.answer is not None and decision_score(view.answer, truth, view.table)[0] >= ACCEPTABLE
    yield _decision_sentence(view.answer, truth.optimal, acceptable, end)
    unseen = [fact for fact in result.facts if fact.delivered is None and not fact.supporting]
    facts = {fact.id: fact for fact in view.task.required}
    lost = [piece for missed in unseen[:MOST] for piece in _unseen(view, facts[missed.id])]
    yield from lost
    if lost and view.answer and view.steps and not any(isinstance(piece, int) for piece in lost):
        yield from (" It decided at ", _at(view, view.steps[-1].number), ".")
    yield from _more_unseen(unseen)
    ungiven = [fact for fact in result.facts if fact.delivered is not None and not fact.counted and not fact.supporting]
    for fact in ungiven[:MOST] if view.answer else ():
        yield from _not_given(fact, _at(view, fact.delivered or 0))
    if view.answer and result.facts and not unseen and not ungiven:
        yield " All of the evidence was seen and given as reasons."
    reasoning = result.metrics.get("reasoning")
    if view.answer and reasoning and "cites as a reason: " in reasoning.reason:
        cited = reasoning.reason.partition("cites as a reason: ")[2].partition("; ")[0]
        yield f" It gave as a reason what decides nothing: {clip(cited, 240)}."
    for turn in result.appeal_turns[-1:]:
        yield f" After {turn.number} appeal turn{'s' * (turn.number > 1)}: {turn.reason}."


def _unseen(view: DecisionView, fact: Fact) -> Iterator[Piece]:
    where = page_in_words(min(fact.pages, key=len))
    yield f" It never saw that {inner(fact.says)} ({where}); "
    near = _nearest(view, fact)
    if near is None:
        yield (
            "it opened no page beyond the one where it began."
            if len({step.observation.url for step in view.steps}) < 2
            else "no page that it opened comes near."
        )
        return
    step, how = near
    yield from ("nearest it came: ", _at(view, step), f", {how}.")


def _at(view: DecisionView, number: int) -> Piece:
    """A step of the first user turn by its number; 0: what was noted before the noise."""
    return len(view.noted) + number if number else "noted before the noise"


def _nearest(view: DecisionView, fact: Fact) -> tuple[int, str] | None:
    """The step that came nearest to a fact: on its page, on another page of its record, or on a page that names the
    record."""
    wanted = {key.casefold() for key in fact.pages}
    records = {record_of(key).casefold() for key in fact.pages}
    kinds = {record.partition(":")[0] for record in records}
    names = [squeeze(name) for key in fact.pages if (name := named_in(key))]
    candidates: list[tuple[int, int, str]] = []
    for step, page in zip(view.steps, view.pages, strict=True):
        lists = any(key.endswith(f"/{kind}s") for key in page.keys for kind in kinds)
        if matching_keys := page.keys & wanted:
            cut = f" (the page was cut off at {step.observation.tokens:,} tokens)" if step.observation.truncated else ""
            remark = "which it did not look at closely enough" if fact.pictured else f"where it was not shown{cut}"
            candidates.append((5, page.step, f"{page_in_words(min(matching_keys))}, {remark}"))
        elif near := sorted(key for key in page.keys if record_of(key).casefold() in records):
            sentence = f"{page_in_words(near[-1] if lists else near[0])}, without opening {_shortest(fact)}"
            candidates.append((4 if lists else 3, page.step, sentence))
        elif any(_names(name, page) for name in names):
            title = page_in_words(min(page.keys)) if page.keys else step.observation.title or step.observation.url
            sentence = f"{title}, which names {names[0]}, without opening {_shortest(fact)}"
            candidates.append((2 if lists else 1, page.step, sentence))
    best = max(candidates, key=lambda near: near[0], default=None)
    return best and best[1:]


def _names(name: str, page: ShownPage) -> bool:
    """Whether a page names a record: by its number (shops write it with zeros), or a member by name."""
    text = squeeze(page.text)
    return f"{name:0>9}" in text or f"#{name}" in text if name.isdigit() else name in text


def _shortest(fact: Fact) -> str:
    return page_in_words(min(fact.pages, key=len))


def _long(trajectory: Trajectory, result: Result) -> Iterator[Piece]:
    missed = [key for key in result.key_steps if not key.hit]
    if not missed:
        yield f"All {len(result.key_steps)} key steps were reached."
        return
    first = missed[0]
    part = "first part" if first.phase == "a1" else "second part"
    yield _missed_first(result, part)
    steps = [step for step in trajectory.steps if step.phase == first.phase]
    hit = [key.step for key in result.key_steps if key.hit and key.phase == first.phase and key.step is not None]
    retrieval = result.metrics.get("retrieval")
    if first.phase == "a2" and not hit and retrieval is not None:
        yield f" After the history: {retrieval.reason.rstrip('.')}."
    elif hit:
        place = next(
            i for i, step in enumerate(trajectory.steps, 1) if step.phase == first.phase and step.number == max(hit)
        )
        yield from (" The last one that it reached was at ", place, ".")
    if steps:
        place = max(i for i, step in enumerate(trajectory.steps, 1) if step.phase == first.phase)
        yield from (f" The {part} ended at ", place, f": {ended(trajectory, first.phase)}.")
