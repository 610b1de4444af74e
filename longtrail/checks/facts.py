"""Facts: what an investigation must find, how pages show it, and how an agent may state it."""

from typing import Annotated

from pydantic import Field

from longtrail.records.record import Record
from longtrail.text.matcher import Alternative


class Fact(Record):
    """One thing that the evidence shows. A decision needs it, unless it is `supporting` or `anywhere`."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    says: str
    """The fact in one sentence, for people."""
    shown: tuple[Alternative, ...]
    """How its pages show it: delivered once one of these forms is in an observation."""
    said: tuple[Alternative, ...] = ()
    """How an agent may put it in words, besides `shown` (for the paper's keyword recall alone)."""
    deciding: tuple[Alternative, ...] = ()
    """Other words or values of its pages that tell it, too: a quotation that has them gives the fact."""
    pages: tuple[str, ...]
    """Keys of the only pages that show it. `image:9f2c` is a picture; `shown` is then its text."""
    elsewhere: dict[str, str] = {}
    """Other pages that contain its values (page key, `*` matches any characters) -> why they don't state the fact."""
    lettering: str = ""
    """For a picture: all its text, line by line. Quotes of it by an agent that saw it are grounded."""
    anywhere: bool = False
    """A surface fact (the trigger states it); never required."""
    supporting: bool = False
    """True and useful, but the decision doesn't depend on it: reported, never required."""
    overruled: bool = False
    """A record that must be known, although it doesn't count in the end, because another one prevails over it: evidence
    that rules it out gives it, too."""

    @property
    def pictured(self) -> bool:
        """Whether only a picture shows it, no page's text."""
        return bool(self.pages) and all(page.startswith("image:") for page in self.pages)


class Distractor(Record):
    """A related but irrelevant or false statement: giving it as a reason costs points."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    says: str
    said: tuple[Alternative, ...]
    pages: tuple[str, ...] = ()
