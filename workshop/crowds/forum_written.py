"""The format in which people write the forum's crowd (`workshop/crowds/written/*.yaml`)."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from longtrail.records.record import Record
from longtrail.yaml_file import read

WRITTEN = Path(__file__).parent / "written"


class WrittenThread(Record):
    """A submission: title, body or url, and comments."""

    t: str
    b: str = ""
    u: str = ""
    by: str = ""
    age: str = ""
    """Its age, such as `3d5h` or `40m`; random if not given."""
    f: tuple[str, ...] = ()
    pin: bool = False
    lock: bool = False
    rm: str = ""
    """The reason why a moderator deleted it."""
    c: tuple[Any, ...] = ()
    """Comments: a text, or a list of a text and the replies to it.

    `op| ` before a text: the submission's author says it; `mod| `: a moderator; `Name| `: this member;
    `rm| reason | text`: it was deleted by a moderator.
    """


class Ban(Record):
    """An earlier ban: how many days ago, and for how many days (0: permanent)."""

    user: str
    ago: int
    days: int
    reason: str


class Forum(Record):
    """A forum."""

    name: str
    title: str
    about: str
    tags: str
    founded: date
    subscribers: int
    featured: bool = False
    mods: Annotated[tuple[str, ...], Field(min_length=1)]
    regulars: str
    """Names of the members who write here, separated by spaces."""
    intro: str = ""
    rules: Annotated[tuple[str, ...], Field(min_length=2)]
    bans: tuple[Ban, ...] = ()
    threads: tuple[WrittenThread, ...]


class WrittenPage(Record):
    """A wiki page."""

    path: str
    title: str
    by: str
    at: str
    locked: bool = False
    body: str


class People(Record):
    """Biographies, and the days on which some members joined; the other days are random."""

    biographies: dict[str, str]
    joined: dict[str, str] = {}


def forums() -> tuple[Forum, ...]:
    """All forums by name, read from one file each. Raises DataError."""
    return tuple(read(Forum, path) for path in sorted((WRITTEN / "forums").glob("*.yaml")))


def pages() -> tuple[WrittenPage, ...]:
    """All wiki pages, read from one file each below `wiki/`."""
    return tuple(read(WrittenPage, path) for path in sorted((WRITTEN / "wiki").rglob("*.yaml")))


def people() -> People:
    """The members' biographies."""
    return read(People, WRITTEN / "people.yaml")
