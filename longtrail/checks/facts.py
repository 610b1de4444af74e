"""Facts: what an investigation must bring to light, how it stands on a page, and how one may say it."""

from typing import Annotated

from pydantic import Field

from longtrail.records.record import Record
from longtrail.text.alternatives import Alternative


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
    elsewhere: dict[str, str] = {}
    """Other pages on which its values stand (a key, `*` for any run of characters) -> why they don't tell the fact."""
    lettering: str = ""
    """Of a picture: all that is written in it, line by line. What an agent that saw it quotes from it is grounded."""
    anywhere: bool = False
    """A surface fact (the trigger states it); never required."""
    supporting: bool = False
    """True and of use, but whatever it were, the decision would stand: told in results, never required."""

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
