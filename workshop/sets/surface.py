"""Surface: can a classifier tell the decision from what is seen before the first step? (leave one out, twins together)

Two learners of scikit-learn, naive Bayes and a decision tree, on the few most informative features of the training
cases; with all words of a hundred cases they would only memorise them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from longtrail.tasks.task import DecisionTask

KEPT = 5
"""Number of features that are kept, the most informative ones."""
SEEN = 3
"""Minimum number of cases that have a feature."""
Features = Callable[[DecisionTask], Iterable[str]]


def words(task: DecisionTask) -> set[str]:
    """The trigger's words."""
    return set(re.findall(r"[a-z0-9_]+", re.sub(r"https?://\S+", "", task.trigger.lower())))


def request(task: DecisionTask) -> set[str]:
    """In the shop: what is claimed, and the amount in steps of 25."""
    given = task.policy.get("given", {})
    if task.base_suite != "shopping_admin" or not given.keys() >= {
        "claim",
        "amount",
    }:  # another rule tells what is missing
        return set()
    return {f"claim {given['claim']}", f"amount {given['amount'] // 25:.0f}"}


def place(task: DecisionTask) -> str:
    """The kind of page that a case starts on: its address without numbers and titles."""
    return "/".join(re.sub(r"\d+", "0", part) for part in task.start.split("/")[3:6])


FEATURES: dict[str, Features] = {
    "words": words,
    "words, request and start": lambda task: {*words(task), *request(task), place(task)},
    "request": request,
    "start": lambda task: {place(task)},
    "length": lambda task: {str(len(task.trigger) // 50)},
    "id": lambda task: {*re.findall(r"\d", task.id)},
}


RICHEST = {name: FEATURES[name] for name in ("words", "words, request and start")}
"""The features that are also checked within categories: for a dozen cases the others are too weak."""


def guesses(features: Features, tasks: Mapping[str, DecisionTask], labels: Sequence[str]) -> dict[str, list[str]]:
    """Learner -> its guess of each label, from all other tasks but the task's twin; empty if there are none."""
    feature_sets = [dict.fromkeys(features(task), 1) for task in tasks.values()]
    count = Counter(name for each in feature_sets for name in each)
    table = DictVectorizer(sparse=False).fit_transform(
        [{name: 1 for name in each if count[name] >= SEEN} or {"nothing": 1} for each in feature_sets]
    )

    groups = [min(task.id, task.twin) if task.twin in tasks else task.id for task in tasks.values()]
    if len(set(groups)) < 2:  # nothing to learn from
        return {}
    learners = {"naive Bayes": BernoulliNB(), "decision tree": DecisionTreeClassifier(max_depth=4, random_state=0)}
    return {
        name: list(
            cross_val_predict(
                make_pipeline(SelectKBest(chi2, k=min(KEPT, table.shape[1])), learner),
                table,
                list(labels),
                cv=LeaveOneGroupOut(),
                groups=groups,
            )
        )
        for name, learner in learners.items()
    }
