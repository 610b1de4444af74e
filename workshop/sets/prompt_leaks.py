"""Prompt leaks: can a classifier tell the decision from a prompt? (naive Bayes and logistic regression on words and
pairs of words; a task and its twin are never in the same half)

The reference is the best constant answer of each kind of case: everybody sees from a request what kind it is.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from longtrail.authoring.validity import ValidityFinding
from longtrail.errors import UsageError
from longtrail.tasks.briefing import guidance, kind_of
from longtrail.tasks.task import DecisionTask

LEAK = 0.10
"""The maximum by which a classifier's accuracy may exceed the best constant's."""
FOLDS = 10
MIN_TASKS = 20
"""With fewer tasks a classifier's accuracy is chance."""


def prompts_tell_nothing(tasks: Mapping[str, DecisionTask]) -> Iterator[ValidityFinding]:
    """Neither the request nor the hint nor the plan predicts the decision."""
    if len(tasks) < MIN_TASKS:
        return
    decisions = [task.truth.optimal for task in tasks.values()]
    bound = best_constant(tasks) + LEAK * len(tasks)
    for condition in ("raw", "hint", "explicit"):
        prompts = [f"{task.trigger}\n{guidance(task, condition)}" for task in tasks.values()]
        for learner, predicted in predictions(prompts, tasks, decisions).items():
            right = sum(guess == decision for guess, decision in zip(predicted, decisions, strict=True))
            if right > bound:
                message = f"{learner} on {condition} prompts predicts {right} of {len(tasks)} decisions"
                yield ValidityFinding("prompts", f"{message}, more than {bound:.0f}")


def best_constant(tasks: Mapping[str, DecisionTask]) -> int:
    """How many decisions somebody gets right who always gives the best answer of each kind of case."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for task in tasks.values():
        kinds[kind_of(task)][task.truth.optimal] += 1
    return sum(max(decisions.values()) for decisions in kinds.values())


def predictions(
    prompts: Sequence[str], tasks: Mapping[str, DecisionTask], decisions: Sequence[str]
) -> dict[str, list[str]]:
    """Learner -> its prediction for each prompt, learned from the others but the twin's. Raises UsageError if
    scikit-learn is not installed."""
    try:
        from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import GroupKFold, cross_val_predict
        from sklearn.multiclass import OneVsRestClassifier
        from sklearn.naive_bayes import MultinomialNB
        from sklearn.pipeline import make_pipeline
    except ImportError as error:
        raise UsageError(
            "whether a learner can tell the decisions from the prompts was not checked: that needs scikit-learn "
            "(pip install scikit-learn)"
        ) from error
    pairs = [min(task.id, task.twin) if task.twin in tasks else task.id for task in tasks.values()]
    learners = {
        "naive Bayes": make_pipeline(CountVectorizer(ngram_range=(1, 2)), MultinomialNB(alpha=0.1)),
        "logistic regression": make_pipeline(
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            OneVsRestClassifier(LogisticRegression(solver="liblinear", C=10)),
        ),
    }
    return {
        name: list(
            cross_val_predict(
                learner, list(prompts), list(decisions), cv=GroupKFold(min(FOLDS, len(set(pairs)))), groups=pairs
            )
        )
        for name, learner in learners.items()
    }
