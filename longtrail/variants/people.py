"""People of the shop under other names.

Given names change within their pronoun, family names freely, each name becomes the same new one everywhere. A name that
is also a word of the texts (`Mark`) stays.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from longtrail.paths import DATA
from longtrail.yaml_file import read_yaml

MONTHS = frozenset(
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Za-z]+")


@cache
def names() -> dict[str, dict[str, list[str]]]:
    """The lists of data/variants/people.yaml."""
    lists: dict[str, dict[str, list[str]]] = read_yaml(DATA / "variants" / "people.yaml")
    return lists


class People:
    """Old name -> new name, for given names, family names and e-mail addresses."""

    def __init__(
        self, accounts: Mapping[str, str], without_account: Iterable[str], words: Counter[str], rng: random.Random
    ) -> None:
        """`accounts`: e-mail address -> full name. `without_account`: full names without an account. `words`: how often
        each word stands in the texts, as written."""
        self._full = [name for name in dict.fromkeys([*accounts.values(), *without_account]) if len(name.split()) > 1]
        self._words = words
        self._rng = rng
        used: set[str] = set()
        self.given: dict[str, str] = {}
        for kind in ("she", "he"):
            old_names = {name.split()[0] for name in self._full} & {*names()["given"][kind]}
            self.given |= self._new_names(old_names, names()["given"][f"fresh_{kind}"], used)
        old_names = {name.split()[-1] for name in self._full}
        self.family = self._new_names(old_names, names()["family"]["fresh"], used)
        self.words = {**self.given, **self.family}
        self.words |= {old.upper(): new.upper() for old, new in self.words.items()}
        self.initials = self._initials()
        self.mail = self._addresses(accounts)

    def name(self, full: str) -> str:
        """A full name in this variant."""
        return " ".join(self.words.get(word, word) for word in full.split())

    def _new_names(self, old_names: set[str], fresh: list[str], used: set[str]) -> dict[str, str]:
        """New names for these: fresh ones first, then names of the others, none twice and none its own."""
        old = sorted(name for name in old_names if self._free(name))
        pool = [name for name in fresh if not self._words[name] and not self._words[name.lower()] and name not in used]
        self._rng.shuffle(pool)
        unused = [name for name in old if name not in used]
        self._rng.shuffle(unused)
        drawn: dict[str, str] = {}
        pool += unused
        for name in old:
            new = next((candidate for candidate in pool if candidate != name), None)
            if new is None:
                break
            pool.remove(new)
            drawn[name] = new
        stay = {name for name in old if name not in drawn}
        drawn = {name: new for name, new in drawn.items() if new not in stay}
        used.update(drawn.values())
        return drawn

    def _free(self, name: str) -> bool:
        """Whether a name means nothing but people."""
        return not self._words[name.lower()] and name not in MONTHS and len(name) > 2

    def _initials(self) -> dict[str, str]:
        """`N. Ashdown` and `Noreen A.`, as far as somebody of that name exists."""
        initials: dict[str, str] = {}
        for full in self._full:
            old, new = full.split(), self.name(full).split()
            initials[f"{old[0][0]}. {old[-1]}"] = f"{new[0][0]}. {new[-1]}"
            initials[f"{old[0]} {old[-1][0]}."] = f"{new[0]} {new[-1][0]}."
        return initials

    def _addresses(self, accounts: Mapping[str, str]) -> dict[str, str]:
        """E-mail addresses with the new names in them, none twice."""
        addresses: dict[str, str] = {}
        for address, full in accounts.items():
            local, _, host = address.partition("@")
            new = _local(local, full.split(), self.name(full).split())
            while f"{new}@{host}" in addresses.values():
                new += "7"  # any digit makes it another address
            addresses[address] = f"{new}@{host}"
        return addresses


def _local(local: str, old: list[str], new: list[str]) -> str:
    first_name, family = old[0].lower(), old[-1].lower()
    parts = re.split(rf"({re.escape(first_name)}|{re.escape(family)})", local)
    changed = [{first_name: new[0].lower(), family: new[-1].lower()}.get(part, part) for part in parts]
    if first_name not in parts and changed[0][:1] == first_name[0] and re.fullmatch(r"[a-z][._-]?", changed[0]):
        changed[0] = new[0][0].lower() + changed[0][1:]
    return "".join(changed)


def word_counts(parts: Iterable[str]) -> Counter[str]:
    """How often each word stands in texts, e-mail addresses left out."""
    return Counter(word for text in parts for word in _WORD.findall(re.sub(r"\S+@\S+", " ", text)))


def full_names(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of a story's records and of the addresses in them."""
    full: list[str] = []
    for record in records:
        for part in (record, *(record[key] for key in ("address", "ship_to", "bill_to") if key in record)):
            full += [part["name"]] if isinstance(part, Mapping) and part.get("name") else []
    return full
