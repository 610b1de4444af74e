"""The forum in a variant: its tasks, and the crowd of its world.

Members change the part of their name that is a person's (`seatpost_seb`), each such part everywhere into the same
other one, also where a text calls somebody by it; a member without one (`fretbuzz`) gets an ending. What the other
parts say of a member stays: a seller still has a seller's name. Submissions get other numbers. Texts in pictures can't
change, so no name in them does.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from longtrail.variants.numbers import Numbers
from longtrail.variants.people import MONTHS, names, word_counts
from longtrail.variants.rewriter import Path, Rewriter, Rule, texts
from longtrail.web.sites.forum.forum_site import read_crowd
from longtrail.web.sites.forum.names import slug
from longtrail.web.sites.forum.visit import MODERATOR

Entry = Mapping[str, Any]
STAFF = frozenset({MODERATOR, "Yusuf_Lists"})
"""The moderator who is signed in, and whom the guide sends reports to: the rules name them, so they stay."""
LONGEST = 25
"""Characters of a member's name."""
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NUMBERED = frozenset({"submission", "on"})


class Forum:
    """The substitutions of the forum's suite."""

    def __init__(self, entries: Mapping[str, Entry], rng: random.Random) -> None:
        """`entries`: its tasks as their files have them, by id."""
        self.entries = entries
        self._shift = Numbers(rng).submission_shift
        crowd = read_crowd()
        stories = [entry.get("story", {}) for entry in entries.values()]
        members = [row["name"] for row in crowd["user"]]
        members += [record["name"] for story in stories for record in story.get("users", ())]
        sources = [crowd, *entries.values()]
        handles = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, members), key=len, reverse=True))})\b")
        words = word_counts(handles.sub(" ", text) for source in sources for text in texts(source))
        lettering = [text for entry in entries.values() for text in _lettering(entry)]
        fixed = {word.lower() for text in (*lettering, *STAFF) for word in _PART.findall(text)}
        self.parts = self._drawn(members, words, fixed, rng)
        self.members = self._renamed([*dict.fromkeys(members)], fixed, rng)
        submissions = [*crowd["submission"], *(record for story in stories for record in story.get("submissions", ()))]
        self._titles = {record["id"]: record["title"] for record in submissions}
        self._rewriter = Rewriter(self._rules(), self._number)

    def tasks(self) -> dict[str, Any]:
        """All tasks of the suite in this variant, as a file would have them."""
        return {name: {**self._task(entry), "id": name} for name, entry in self.entries.items()}

    def source(self, _: str, contents: Any) -> Any:
        """The crowd, or what the hard tier's world has besides."""
        rewritten = self._rewriter.tree(contents)
        for row in rewritten.get("submission", ()):
            row["id"] += self._shift
        return rewritten

    def _task(self, entry: Entry) -> dict[str, Any]:
        task: dict[str, Any] = self._rewriter.tree(entry)
        task["facts"] = [
            {**new, "lettering": old["lettering"]} if "lettering" in old else new
            for old, new in zip(entry["facts"], task["facts"], strict=True)
        ]
        submissions = task.get("story", {}).get("submissions", ())
        for submission in submissions:
            submission["id"] += self._shift
        return task

    def _number(self, path: Path, value: Any) -> Any:
        field = path[-1] if path else ""
        if field in _NUMBERED or ("match" in path and field == "id" and value in self._titles):
            return value + self._shift if value in self._titles else value
        return value

    def _rules(self) -> dict[str, Rule]:
        called = {old.capitalize(): new.capitalize() for old, new in self.parts.items()}
        called |= {old: new for old, new in self.parts.items() if old not in words_too()}
        small = {old.lower(): new.lower() for old, new in self.members.items()}  # as keys of pages have them
        renamed = {**small, **self.members}

        def addressed(match: re.Match[str]) -> str:
            number = int(match["sub"])
            if number not in self._titles:
                return match[0]
            title, address = self._titles[number], f"{match['where']}{number + self._shift}"
            if match["slug"] == f"/{slug(title)}":
                return f"{address}/{slug(self._rewriter.text(title))}"
            return address + (match["slug"] or "")  # what can be done with it, such as /mod_delete

        return {
            "submission": (
                r"(?P<where>/f/\w+/|\bsubmission[/:]|\bsearch(?:/|\?q=)|(?<![\w/.,:$-])(?=\d{6}(?!\w)))(?P<sub>\d{5,6})"
                r"(?P<slug>/[a-z0-9_-]*[a-z0-9_](?![\w/-]))?",
                addressed,
            ),
            "picture": (r"image:[0-9a-f]{16}", lambda m: m[0]),
            "word": (r"(?<!\w)!?\w{2,}", lambda m: renamed.get(m[0]) or called.get(m[0], m[0])),
        }

    def _drawn(
        self, members: Iterable[str], words: Counter[str], fixed: set[str], rng: random.Random
    ) -> dict[str, str]:
        """Part of a member's name -> another one, within its pronoun, in small letters."""
        used = {part.lower() for name in members for part in _PART.findall(name)}
        lists, drawn = names()["members"], dict[str, str]()
        for kind in ("she", "he"):
            free = [
                part
                for part in sorted(used & {*lists[kind]})
                if part not in fixed and part.capitalize() not in MONTHS and not (words[part] and part in words_too())
            ]
            pool = [
                part
                for part in dict.fromkeys(lists[f"fresh_{kind}"])
                if part not in used and not words[part] and not words[part.capitalize()] and part not in drawn.values()
            ]
            rng.shuffle(pool)
            shuffled = rng.sample(free, len(free))
            drawn |= {old: new for old, new in zip(shuffled, [*pool, *shuffled], strict=False) if old != new}
        return drawn

    def _renamed(self, members: list[str], fixed: set[str], rng: random.Random) -> dict[str, str]:
        """Member -> the name in this variant. No two are alike, even in small letters."""
        renamed: dict[str, str] = {}
        used = {name.lower() for name in members}
        for name in members:
            if name in STAFF or name.lower() in fixed:
                continue
            new = _PART.sub(lambda m: _as(m[0], self.parts.get(m[0].lower(), m[0])), name)
            while new == name or new.lower() in used or len(new) > LONGEST:
                ending = f"_{rng.choice(names()['members']['endings'])}"
                new = name[: LONGEST - len(ending)].rstrip("_") + ending
            used.add(new.lower())
            renamed[name] = new
        return renamed


def words_too() -> frozenset[str]:
    """Parts of members' names that are also words: not changed where a text has them in small letters."""
    return frozenset(names()["members"]["words"])


def _as(old: str, new: str) -> str:
    """A part in the letters of the one that it replaces."""
    return new.capitalize() if old[:1].isupper() else new


def _lettering(entry: Entry) -> list[str]:
    """The texts of a task's pictures."""
    return [
        text
        for fact in entry.get("facts", ())
        if any(str(page).startswith("image:") for page in fact.get("pages", ()))
        for part in (fact.get("lettering", ""), fact.get("shown", ()))
        for text in texts(part)
    ]
