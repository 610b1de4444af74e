"""Facts: what an investigation must bring to light, how it stands on a page, and how one may say it."""

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from trailmark.record import Record


def _iso(text: str) -> str:
    date.fromisoformat(text)
    return text


class Atoms(Record):
    """All of these in one passage (a line of a page, a paragraph of prose): values as values, phrases as words."""

    money: tuple[float, ...] = ()
    number: tuple[float, ...] = ()
    percent: tuple[float, ...] = ()
    date: tuple[Annotated[str, AfterValidator(_iso)], ...] = ()
    """ISO dates; relative ones in the text are resolved with the world's clock."""
    duration: tuple[str, ...] = ()
    """`49 days`, `2.1 years`."""
    id: tuple[str, ...] = ()
    """Order numbers, tracking numbers ...; leading zeros and # are ignored."""
    words: tuple[str, ...] = ()
    """Phrases, names, places: folded, on word boundaries. In any order, but `B to A` is not A, B."""

    @model_validator(mode="after")
    def _not_empty(self) -> "Atoms":
        if not any(getattr(self, name) for name in type(self).model_fields):
            raise ValueError("expected at least one atom")
        return self


Alternative = str | Atoms
"""A phrase, or atoms. A phrase is `Atoms(words=[phrase])`; numbers inside a phrase still compare as values."""


class Fact(Record):
    """One required piece of evidence."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    says: str
    """The fact in one sentence, for people."""
    shown: tuple[Alternative, ...]
    """How it stands on its page(s): delivered once any of these is in an observation."""
    said: tuple[Alternative, ...] = ()
    """How an agent may state it, besides `shown`."""
    pages: tuple[str, ...]
    """Page keys where it stands; nowhere else. `image:9f2c` is a picture: `shown` is then what is to be read in it."""
    lettering: str = ""
    """Of a picture: all that is written in it, line by line. What an agent that saw it quotes from it is grounded."""
    anywhere: bool = False
    """A surface fact (the trigger states it); never required."""

    @property
    def pictured(self) -> bool:
        """It stands in a picture: no text of any page tells it."""
        return bool(self.pages) and all(page.startswith("image:") for page in self.pages)


class Distractor(Record):
    """Something near the topic and harmless, or false: asserting it as a reason costs its share."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    says: str
    said: tuple[Alternative, ...]
    pages: tuple[str, ...] = ()


Polarity = Literal["affirmed", "negated"]
