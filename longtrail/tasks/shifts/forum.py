"""Forum: members, posts and records of a shift in the moderation, and how a decision is carried out there."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from longtrail.clock import NOW
from longtrail.tasks.shifts.cast_family import Lots
from longtrail.tasks.shifts.families import material
from longtrail.tasks.shifts.ledger import Matter
from longtrail.tasks.shifts.shift import Text

EPOCH, FIRST_ID, SECONDS_PER_ID = datetime(2023, 1, 1, tzinfo=UTC), 20_000, 720
"""The forum numbers submissions by their time."""
SECOND = {
    "intro": ("commonroom", "Hello from {name}", "I have read along for a while. Mostly {thing}."),
    "original": ("{forum}", "{title} (the long version)", "Please ask before you use it elsewhere."),
    "desk": ("AskScience", "Reading desk: {thing}", "The desk looks up what a post rests on."),
    "house": ("commonroom", "Rooms and halls: {title}", "Who may use which room, as the houses tell us."),
    "swap": ("commonroom", "Gifts of {name}", "One thread for each member who gives things away."),
}  # fmt: skip
"""Kind of a role's second thread -> its forum, title and text."""
GUIDE = "moderation/queue"
"""The wiki page with the rules."""


class ForumCast:
    """Draws members with a reported post and a second thread. Names, posts and numbers are used once in a shift."""

    def __init__(self, material: Any) -> None:
        self._material = material
        self._names: set[str] = set()
        self._ids = set(material["taken"])
        self._lots = Lots()

    def draw(self, spec: dict[str, Any], others: dict[str, SimpleNamespace], rng: random.Random) -> SimpleNamespace:
        """A member and a post, as a role asks for them."""
        role = SimpleNamespace(spec=spec, amount=0.0)
        same = others.get(str(spec.get("same")))
        role.name = same.name if same else self._name(others.get(str(spec.get("like"))), rng)
        role.source = self._name(None, rng)
        role.house = ""
        role.lot, role.span, _ = self._lots.draw(others.get(str(spec.get("neighbour"))), rng)
        barred = others[spec["other_forum"]].forum if "other_forum" in spec else ""
        wanted = others[spec["forum_of"]].forum if "forum_of" in spec else ""
        posts = [
            post for post in self._material["posts"][spec["post"]] if post[0] != barred and wanted in ("", post[0])
        ]
        role.forum, role.title, role.body, role.thing = rng.choice(posts)
        role.sku = role.forum
        role.clerk = rng.choice(self._material["clerks"])
        role.kind = spec["second"]
        role.second_forum = SECOND[role.kind][0].format(**vars(role))
        role.posted = NOW - timedelta(days=rng.randint(1, 3), minutes=rng.randrange(600))
        role.older = NOW - timedelta(days=spec.get("since", rng.randint(20, 60)), minutes=rng.randrange(600))
        role.post = self._id(role.posted)
        if same:
            role.older, role.second = same.older, same.second
        else:
            role.second = self._id(role.older)
        role.joined_on = f"{role.older:%B} {role.older.day}"
        return role

    def _name(self, like: SimpleNamespace | None, rng: random.Random) -> str:
        while True:
            name = f"{rng.choice(self._material['first'])}_{rng.choice(self._material['last'])}"
            if like is not None:
                name = like.name.replace("_", "")
            if name not in self._names:
                self._names.add(name)
                return name

    def _id(self, at: datetime) -> int:
        number = FIRST_ID + int((at - EPOCH).total_seconds()) // SECONDS_PER_ID
        while number in self._ids:
            number += 1
        self._ids.add(number)
        return number


cast = ForumCast


REFUSAL = "REMOVE"
"""What is right instead of a second grant to one person, or of one above a quota."""
CLAIMS = ("CONFIRM_FACTUAL", "APPLY_MISINFORMATION_FLAIR", "APPROVE")
GRANTS = {"tone": "ADD_WARNING_COMMENT"}
"""Matter -> what is right if the findings speak for the member, where that is not to approve the post."""
LONG_AGO = 99
"""Months since a last gift that no rule minds."""


def person(claim: str, role: SimpleNamespace) -> str:
    """Whoever gets what such a ticket grants only once a shift; empty: it can be had again."""
    return str(role.name) if claim == "sale" else ""


def home(claim: str, role: SimpleNamespace) -> str:  # noqa: ARG001 (as in the shop)
    """Members have no addresses."""
    return ""


def otherwise(matter: Matter) -> list[Matter]:
    """The same report with other findings: such that the post would stay by itself, or go."""
    truths = CLAIMS if matter.claim == "claim" else (GRANTS.get(matter.claim, "APPROVE"), "REMOVE")
    return [replace(matter, truth=truth, months=0 if truth == "REMOVE" else LONG_AGO) for truth in truths]


def given(claim: str, role: SimpleNamespace) -> dict[str, Any]:
    """What the report itself says, for the executable rules."""
    return {"matter": claim, "forum": role.forum}


def start(claim: str, role: SimpleNamespace, shown: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG001 (as in the shop)
    """What the post itself shows, for the executable rules."""
    return shown


def story(roles: list[tuple[SimpleNamespace, list[Text]]]) -> dict[str, Any]:
    """The forum's records: each role with its texts."""
    submissions = []
    for role, texts in roles:
        forum, title, body = (part.format(**vars(role)) for part in SECOND[role.kind])
        author = {"intro": role.name, "swap": role.name, "original": role.source}.get(role.kind, role.clerk)
        second = {
            "id": role.second,
            "forum": forum,
            "by": author,
            "at": _stamp(role.older),
            "title": title,
            "body": body,
        }
        post = {"id": role.post, "forum": role.forum, "by": role.name, "at": _stamp(role.posted), "title": role.title}
        submissions.append({**post, "body": role.body, "comments": _comments("post", role, texts)})
        if "same" not in role.spec:
            submissions.append({**second, "comments": _comments("second", role, texts)})
    names = dict.fromkeys(name for role, _ in roles for name in (role.name, role.source))
    users = [{"name": name, "joined": _stamp(NOW - timedelta(days=90 + at * 7 % 400))} for at, name in enumerate(names)]
    rules = material("forum")["rules"]
    guide = {"path": GUIDE, "title": "The queue of reports", "by": "RowanPays", "at": "2026-03-02 09:05", "body": rules}
    return {"users": users, "submissions": submissions, "wiki": [guide]}


def _comments(place: str, role: SimpleNamespace, texts: list[Text]) -> list[dict[str, Any]]:
    start = role.posted if place == "post" else role.older
    entries = [
        (max(text.at.replace(tzinfo=UTC), start + timedelta(hours=1)), text) for text in texts if text.place == place
    ]
    return [
        {"by": text.by or role.clerk, "at": _stamp(at), "text": text.text}
        for at, text in sorted(entries, key=lambda e: e[0])
    ]


def _stamp(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M}"
