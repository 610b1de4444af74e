"""Flag: the form of one word of the command line, its check, and what it gives to the options."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Effect = Literal["measured", "planned", "free"]
"""What depends on a flag: `measured`, what agents meet (the gate compares it, a resumed run must keep it); `planned`,
who plays which cases and how they are judged (a resumed run must keep it); `free`, nothing that is measured."""

PLACE_OF_AGENTS = "{agents}"
"""Stands in a help text for the agents that ship, which are looked up when the help is shown."""


def folder_or_address(text: str) -> Path | str:
    """A folder, or as it stands what fsspec takes for an address, e.g. `s3://bucket/longtrail`."""
    return text if "://" in text else Path(text)


@dataclass(frozen=True, slots=True)
class Flag:
    """One word of the command line."""

    name: str
    help: str
    effect: Effect = "planned"
    field: str = ""
    """The field of `Options` that it fills; by default its own name. Fields that several flags make, or that need more
    than a value, are put together in `run_options`."""
    default: Any = None
    converts_to: Callable[[str], Any] | None = None
    """Makes its value of a text; the text itself where there is none."""
    choices: tuple[str, ...] = ()
    repeated: bool = False
    """May be given several times."""
    switch: bool = False
    """Takes no value."""
    metavar: str = ""
    low: int | None = None
    high: int | None = None
    """Bounds of its value, both allowed."""
    file: bool = False
    """Names a file that must be there."""
    listed_short: bool = False
    """The help lists its short form; that of all others is named beside the long one."""

    @property
    def destination(self) -> str:
        """What its value is called once it is read."""
        return self.name.removeprefix("--").replace("-", "_")

    @property
    def long_name(self) -> str:
        """Its form that no other plugin has: `--longtrail-seed`."""
        return f"--longtrail-{self.name.removeprefix('--')}"

    @property
    def pytest_option(self) -> str:
        """The attribute of pytest's options that holds its value."""
        return f"longtrail_{self.destination}"

    @property
    def option(self) -> str:
        """The field of `Options`."""
        return self.field or self.destination

    @property
    def initial(self) -> Any:
        """What the field holds where the flag is not given."""
        return self.value(self._unsaid)

    @property
    def _unsaid(self) -> Any:
        return False if self.switch else [] if self.repeated else self.default

    def shown_help(self) -> str:
        """Its help, with the names of all agents where they belong."""
        if PLACE_OF_AGENTS not in self.help:
            return self.help
        from longtrail.agents.spec import agents_help

        return self.help.replace(PLACE_OF_AGENTS, agents_help())

    @property
    def settings(self) -> dict[str, Any]:
        """How argparse is told of it."""
        if self.switch:
            return {"action": "store_true", "help": self.help}
        given: dict[str, Any] = {"default": self._unsaid, "help": self.help}
        given |= {"action": "append"} if self.repeated else {}
        told = {"type": self.converts_to, "metavar": self.metavar or "|".join(self.choices)}
        return given | {name: value for name, value in told.items() if value}

    def value(self, given: Any) -> Any:
        """What was given, as the field holds it. A `--no-...` switch turns off what its field says."""
        if self.switch:
            return not given if self.name.startswith("--no-") else given
        if isinstance(given, Path):
            return given.resolve()
        return tuple(given) if self.repeated else given

    def check(self, given: Any) -> None:
        """Raise UsageError, in one line, for a value that can't work."""
        if given is None:
            return
        from longtrail.errors import UsageError

        if self.choices and given not in self.choices:
            raise UsageError(f"{self.name}: expected {' or '.join(self.choices)}, got {given!r}")
        if self.file and not given.is_file():
            raise UsageError(f"{self.name}: there is no file {given}")
        low, high = self.low, self.high
        if (low is not None and given < low) or (high is not None and given > high):
            expected = f"at least {low}" if high is None else f"{low} to {high}"
            raise UsageError(f"{self.name}: expected {expected}, got {given}")
