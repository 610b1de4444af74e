"""Variant: the same suites with other people, numbers, prices and places, made from a seed.

A variant is a set of substitutions, each a function from an old value to a new one, of entries of tasks and of the data
that worlds are built from, when they are read. A task first gets one of the wordings of its request
(`data/wordings`), and a long-context task another of its choices (`tasks/choices.py`).

Three of five decision tasks (`FLIPPED`) have the records of their counterfactual twin (`data/twins`) instead of their
own. The request is the same, and another decision is right. Such a task has no appeals: the shipped ones push to, or
away from, a decision that is not the right one any more. No task names another one as its twin.

See docs/variants.md, also for what changes, what stays, why it is consistent, and how a variant is checked.
"""

import random
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import DATA, SITES, TASKS
from longtrail.records.case import DECISION, Suite
from longtrail.tasks.choices import other_choices
from longtrail.tasks.loading import in_order, read_entries, task_files
from longtrail.tasks.task import TASK, Task
from longtrail.tasks.twins import TWINS, twin_of
from longtrail.variants.consumer import ConsumerSite
from longtrail.variants.forum import Forum
from longtrail.variants.shop import Shop
from longtrail.web.site import VARIANTS_KEPT
from longtrail.yaml_file import read_yaml, validate

FLIPPED = 0.6
"""The share of a suite's tasks that have the records of their twins: so many that the published answers are worth no
more than the best answer to each kind of request, which anybody could give without reading. More would help whoever
answers the opposite of what is published."""

SUITES: Mapping[str, Suite] = {
    "shop": "shopping_admin",
    "forum": "reddit",
    "hard-shop": "hard_shop",
    "hard-forum": "hard_forum",
}
"""The first part of a source's name -> the suite whose world is built from it."""


class Variant:
    """One variant. It is also the `SourceTransform` of its worlds."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._files: dict[str, Path] = {}
        self._suites: dict[str, Shop | Forum] = {}
        self._sites: dict[str, ConsumerSite] = {}
        self._entries: dict[str, dict[str, Any]] = defaultdict(dict)
        for file in task_files(TASKS):
            for name, reworded in requests(file).items():
                self._files[name] = file
                entry = self._rng(f"wording:{name}").choice(reworded)
                chosen = self._other_choice(name, entry, file)
                if entry["suite"] in DECISION:  # any of them may have the records of its counterfactual twin
                    chosen = {key: value for key, value in chosen.items() if key != "twin"}
                self._entries[entry["suite"]][name] = chosen
        self.flipped = self._flip()
        """The tasks that have the records of their twins, and with them another right decision."""

    def _flip(self) -> frozenset[str]:
        """Put the records of their twins in place of those of some tasks; returns these."""
        changes = [(path, change) for path in task_files(TWINS) for change in read_yaml(path)]
        flipped: set[str] = set()
        for suite in DECISION:
            entries = self._entries[suite]
            own_changes = [(path, change) for path, change in changes if change["of"] in entries]
            for path, change in self._rng(f"twins:{suite}").sample(own_changes, round(FLIPPED * len(own_changes))):
                name = change["of"]
                twin = twin_of(entries[name], change, path)
                entries[name] = {key: twin[key] for key in twin.keys() - {"counterfactual", "twin"}} | {"id": name}
                flipped.add(name)
        return frozenset(flipped)

    def __call__(self, name: str, contents: Any) -> Any:
        """What a world is built from, in this variant. `name`: see `web.site.SourceTransform`."""
        kind, _, which = name.partition("/")
        if kind == "consumer":
            return self._site(which, contents).tree(contents)
        return self._suite(kind).source(which, contents)

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """All shipped tasks in this variant, by id, in the usual order."""
        entries: dict[str, Any] = {n: entry for kind in SUITES for n, entry in self._suite(kind).tasks().items()}
        for host, by_name in self._by_host.items():
            site = self._site(host, read_yaml(SITES / f"{host}.yaml"))
            entries |= {name: {**site.tree(entry), "id": name} for name, entry in by_name.items()}
        return in_order({name: validate(TASK, entry, self._files[name], name) for name, entry in entries.items()})

    @cached_property
    def _by_host(self) -> Mapping[str, Mapping[str, Any]]:
        by_host: dict[str, dict[str, Any]] = defaultdict(dict)
        for suite in ("long_context", "discovered"):
            for name, entry in self._entries[suite].items():
                by_host[entry["host"]][name] = entry
        return by_host

    def _suite(self, kind: str) -> Shop | Forum:
        """The substitutions of a suite of decision tasks."""
        if kind not in self._suites:
            made = Shop if kind.endswith("shop") else Forum
            self._suites[kind] = made(self._entries[SUITES[kind]], self._rng(kind))
        return self._suites[kind]

    def _site(self, host: str, contents: Any) -> ConsumerSite:
        if host not in self._sites:
            self._sites[host] = ConsumerSite(contents, self._by_host.get(host, {}).values(), self._rng(host))
        return self._sites[host]

    def _other_choice(self, name: str, entry: dict[str, Any], file: Path) -> dict[str, Any]:
        """A long-context task with another choice of what is to be found than the shipped one, if it has others."""
        choices = other_choices(entry, file)
        return self._rng(f"choice:{name}").choice(choices) if choices else entry

    def _rng(self, purpose: str) -> random.Random:
        return random.Random(f"variant:{self.seed}:{purpose}")  # noqa: S311 (a seeded choice, no secret)


@lru_cache(VARIANTS_KEPT)
def variant(seed: int) -> Variant:
    """The variant of a seed."""
    return Variant(seed)


WORDINGS = DATA / "wordings"
"""`SUITE/FILE.yaml` has other ways to ask for the tasks of `data/tasks/SUITE/FILE.yaml`: a mapping from a task's id to
a list. A wording of a decision task is the text of its `trigger`; one of a long-context task is a mapping with the
instructions of its parts, `a1` and `a2`. A wording tells exactly what the shipped request tells: the same people,
numbers, addresses and quotations."""


def requests(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Each entry of a shipped file of tasks by id, once for each wording of its request, the shipped one first. Raises
    DataError."""
    entries = dict(read_entries(file))
    others = wordings(WORDINGS / file.relative_to(TASKS), entries)
    return {
        name: [entry, *(_reworded(entry, other) for other in others.get(name, ()))] for name, entry in entries.items()
    }


def _reworded(entry: Mapping[str, Any], wording: Any) -> dict[str, Any]:
    if isinstance(wording, str):
        return {**entry, "trigger": wording}
    return {**entry, **{part: {**entry[part], "instruction": text} for part, text in wording.items()}}


def wordings(path: Path, entries: Mapping[str, Any]) -> Mapping[str, list[Any]]:
    """Id of one of these tasks -> the other wordings of its request; empty if there is no file `path`. Raises
    DataError."""
    if not path.is_file():
        return {}
    given: dict[str, list[Any]] = read_yaml(path)
    for name, texts in given.items():
        if name not in entries:
            raise DataError(path, name, "no task of this file has this id")
        expected = str if "trigger" in entries[name] else dict
        if not isinstance(texts, list) or not all(isinstance(text, expected) for text in texts):
            raise DataError(path, name, f"expected a list of {'texts' if expected is str else 'mappings with a1, a2'}")
        if expected is dict and any(set(text) - {"a1", "a2"} for text in texts):
            raise DataError(path, name, "expected the instructions of a1 and a2")
    return given
