"""What a text is searched for: phrases and values, as a task's YAML names them."""

from datetime import date
from typing import Annotated

from pydantic import AfterValidator, model_validator

from longtrail.records.record import Record


def _iso(text: str) -> str:
    date.fromisoformat(text)
    return text


class Atoms(Record):
    """All of these in one passage (a line of a page, a paragraph of prose): values as values, phrases as words."""

    money: tuple[float, ...] = ()
    number: tuple[float, ...] = ()
    percent: tuple[float, ...] = ()
    date: tuple[Annotated[str, AfterValidator(_iso)], ...] = ()
    """ISO dates; those without a year in the text are resolved with the world's clock."""
    duration: tuple[str, ...] = ()
    """`49 days`, `2.1 years`."""
    id: tuple[str, ...] = ()
    """Order numbers, tracking numbers ...; leading zeros and # are ignored."""
    words: tuple[str, ...] = ()
    """Phrases, names, places: folded, on word boundaries, in any order."""

    @model_validator(mode="after")
    def _not_empty(self) -> "Atoms":
        if not any(getattr(self, name) for name in type(self).model_fields):
            raise ValueError("expected at least one value or phrase")
        return self


Alternative = str | Atoms
"""A phrase, or atoms. A phrase is `Atoms(words=[phrase])`; numbers inside a phrase still compare as values."""
