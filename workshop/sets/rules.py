"""Rules on a suite as a whole: the surface reveals nothing, no constant answer scores high, and no case copies
another."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from longtrail.agents.guessers import guess
from longtrail.authoring.validity import ValidityFinding
from longtrail.checks.decisions import decision_score, decision_table
from longtrail.records.trajectory import Suite
from longtrail.tasks.task import DecisionTask
from workshop.sets import surface, texts
from workshop.sets.prompt_leaks import prompts_tell_nothing

LEAK = 0.10
"""The maximum by which the accuracy of a guess from the surface may exceed the best constant answer's."""
CONSTANT = 0.5
"""The maximum score of a constant answer."""
ALIKE, ALIKE_JUSTIFIED = 75, 85
"""From this similarity on, two texts count as copies (rapidfuzz's token_set_ratio, names and figures masked)."""
SHARED = 3
"""The maximum number of cases that may contain the same sentence."""
PHRASINGS = 12
"""The minimum number of differently worded triggers of a suite."""
TWIN_SHARE = 0.4
"""At least this share of a suite are twins (of 100 cases: 20 pairs)."""
AMOUNTS, LENGTHS = 1.15, 1.6
"""The amounts, and the lengths of the requests, of twins differ at most by these factors."""
Tasks = Mapping[str, DecisionTask]
SetRule = Callable[[Tasks], Iterator[ValidityFinding]]
"""A rule on all decision tasks of one suite, by id."""


def _suite(tasks: Tasks) -> Suite:
    return next(iter(tasks.values())).suite


def decisions_are_spread(tasks: Tasks) -> Iterator[ValidityFinding]:
    """No constant answer scores more than half, and no category has always the same decision."""
    table = decision_table(next(iter(tasks.values())).suite)
    for word in table.words:
        score = sum(decision_score(word, task.truth, table)[0] for task in tasks.values()) / len(tasks)
        if score > CONSTANT:
            yield ValidityFinding("truth", f"{_suite(tasks)}: always {word} scores {score:.3f}, more than {CONSTANT}")
    for name, key in _KINDS.items():
        kinds: dict[str, list[DecisionTask]] = defaultdict(list)
        for task in tasks.values():
            kinds[key(task)].append(task)
        for kind, members in kinds.items():
            if kind and len(members) > 1 and len({task.truth.optimal for task in members}) < 2:
                ids = tuple(task.id for task in members)
                yield ValidityFinding("truth.optimal", f"the {name} {kind} alone tells the decision", ids)


_KINDS: dict[str, Callable[[DecisionTask], str]] = {
    "category": lambda task: task.category,
    "claim": lambda task: str(task.policy["given"].get("claim", "")),
}


def surface_tells_nothing(tasks: Tasks) -> Iterator[ValidityFinding]:
    """Neither a learner nor cue words predict the decision from what is visible at the start."""
    labels = [task.truth.optimal for task in tasks.values()]
    guesses = {
        f"{learner} on {name}": predicted
        for name, features in surface.FEATURES.items()
        for learner, predicted in surface.guesses(features, tasks, labels).items()
    }
    offered = tuple(decision_table(_suite(tasks)).words)
    guesses["cue words"] = [guess(task.trigger, offered) for task in tasks.values()]
    yield from _too_often_right(tasks, guesses, _most(labels))


def surface_tells_nothing_within_a_category(tasks: Tasks) -> Iterator[ValidityFinding]:
    """The same for somebody who also knows each case's category."""
    kinds: dict[str, dict[str, DecisionTask]] = defaultdict(dict)
    for task in tasks.values():
        kinds[task.category][task.id] = task
    labels = {kind: [task.truth.optimal for task in members.values()] for kind, members in kinds.items()}
    best = sum(_most(each) for each in labels.values())
    for name, features in surface.RICHEST.items():
        guesses: dict[str, dict[str, str]] = defaultdict(dict)
        for kind, members in kinds.items():
            for learner, predicted in surface.guesses(features, members, labels[kind]).items():
                guesses[f"within categories, {learner} on {name}"].update(zip(members, predicted, strict=True))
        yield from _too_often_right(
            tasks, {key: [guessed.get(name, "") for name in tasks] for key, guessed in guesses.items()}, best
        )


def _most(labels: Sequence[str]) -> int:
    """How often the most frequent label occurs."""
    return max(Counter(labels).values())


def _too_often_right(tasks: Tasks, guesses: Mapping[str, Sequence[str]], best: int) -> Iterator[ValidityFinding]:
    bound = best + LEAK * len(tasks)
    for name, predicted in guesses.items():
        right = sum(guessed == task.truth.optimal for guessed, task in zip(predicted, tasks.values(), strict=True))
        if right > bound:
            message = f"{_suite(tasks)}: {name} tells {right} of {len(tasks)} decisions, more than {bound:.0f}"
            yield ValidityFinding("trigger", message)


def enough_are_twins(tasks: Tasks) -> Iterator[ValidityFinding]:
    """Many cases have a twin: the same surface, another decision."""
    twins = sum(task.twin in tasks for task in tasks.values())
    if twins < TWIN_SHARE * len(tasks):
        message = f"{_suite(tasks)}: {twins} of {len(tasks)} tasks are twins, expected {TWIN_SHARE:.0%}"
        yield ValidityFinding("twin", message)


def twins_are_twins(tasks: Tasks) -> Iterator[ValidityFinding]:
    """Twins name each other, look alike and have different decisions."""
    for task in tasks.values():
        if not task.twin:
            continue
        twin = tasks.get(task.twin)
        if twin is None:
            yield ValidityFinding("twin", f"there is no task {task.twin}", (task.id,))
        elif twin.twin != task.id:
            yield ValidityFinding("twin", f"{task.twin} does not name it as its own twin", (task.id,))
        elif task.id < twin.id:
            pair = (task.id, twin.id)
            if task.truth.optimal == twin.truth.optimal:
                yield ValidityFinding("twin", f"{twin.id} has the same decision", pair)
            if difference := _visible_difference(task, twin):
                yield ValidityFinding("twin", f"{twin.id} looks different at the start: {difference}", pair)


def _visible_difference(task: DecisionTask, twin: DecisionTask) -> str:
    """The kind of matter, or a very different amount or length; empty if they look alike."""
    start, twin_start = task.policy["given"], twin.policy["given"]
    for name in ("claim", "matter"):
        if start.get(name) != twin_start.get(name):
            return f"{name} {start.get(name)} and {twin_start.get(name)}"
    if not _near(start.get("amount", 1), twin_start.get("amount", 1), AMOUNTS):
        return f"${start['amount']} and ${twin_start['amount']}"
    if not _near(len(task.trigger), len(twin.trigger), LENGTHS):
        return f"{len(task.trigger)} and {len(twin.trigger)} characters"
    return ""


def _near(value: float, other: float, factor: float) -> bool:
    return max(value, other) <= factor * min(value, other)


def _alike(given: Sequence[tuple[str, str]], limit: int) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Pairs of (task, text) of two tasks that are as similar as `limit`."""
    from rapidfuzz.fuzz import token_set_ratio
    from rapidfuzz.process import cdist

    written = [text for _, text in given]
    near = cdist(written, written, scorer=token_set_ratio, score_cutoff=limit, workers=1)
    for first, second in zip(*near.nonzero(), strict=True):
        if first < second and given[first][0] != given[second][0]:
            yield given[first], given[second]


def triggers_are_phrased_one_by_one(tasks: Tasks) -> Iterator[ValidityFinding]:
    """Only twins may have similar triggers; no third task may use the same words."""
    written = [(task.id, texts.masked(task.trigger, texts.names(task))) for task in tasks.values()]
    pairs = list(_alike(written, ALIKE))
    for (first, _), (second, _) in pairs:
        if tasks[first].twin != second:
            yield ValidityFinding("trigger", f"worded like {second}", (first, second))
    if len(tasks) >= 2 * PHRASINGS and len(tasks) - len(pairs) < PHRASINGS:
        yield ValidityFinding("trigger", f"{_suite(tasks)}: fewer than {PHRASINGS} different wordings")


def justifications_are_written_one_by_one(tasks: Tasks) -> Iterator[ValidityFinding]:
    """No two references have similar justifications."""
    written = [(task.id, task.reference.justification) for task in tasks.values()]
    for (first, _), (second, _) in _alike(written, ALIKE_JUSTIFIED):
        yield ValidityFinding("reference.justification", f"has a justification like {second}", (first, second))


def evidence_is_written_one_by_one(tasks: Tasks) -> Iterator[ValidityFinding]:
    """No two pieces of evidence have similar texts."""
    written = [
        (task.id, texts.masked(text, texts.names(task))) for task in tasks.values() for text in texts.evidence(task)
    ]
    for (first, text), (second, again) in _alike(written, ALIKE):
        yield ValidityFinding("story", f"{text!r} is like {second}'s {again!r}", (first, second))


def sentences_are_not_shared(tasks: Tasks) -> Iterator[ValidityFinding]:
    """No sentence is used in more than three cases."""
    where: dict[str, list[str]] = defaultdict(list)
    for task in tasks.values():
        for sentence in texts.sentences(task):
            where[sentence].append(task.id)
    for sentence, users in where.items():
        if len(users) > SHARED:
            yield ValidityFinding("", f"uses the sentence {sentence!r}, as {len(users)} do", tuple(users))


SET_RULES: dict[str, SetRule] = {
    rule.__name__: rule
    for rule in (
        decisions_are_spread,
        surface_tells_nothing,
        surface_tells_nothing_within_a_category,
        enough_are_twins,
        twins_are_twins,
        prompts_tell_nothing,
        triggers_are_phrased_one_by_one,
        justifications_are_written_one_by_one,
        evidence_is_written_one_by_one,
        sentences_are_not_shared,
    )
}
