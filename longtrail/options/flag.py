"""Flag: one command-line option: its form, its check, and the field of `Options` that it fills."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

Effect = Literal["measured", "planned", "free"]
"""The effect of a flag. `measured`: it changes what is measured; the gate compares it, and a resumed run must keep it.
`planned`: it changes who plays which cases or how they are judged; a resumed run must keep it. `free`: neither."""

PLACE_OF_AGENTS = "{agents}"
"""Placeholder in a help text for the names of the built-in agents."""


def folder_or_address(text: str) -> Path | str:
    """A folder as a path, or an fsspec address such as `s3://bucket/longtrail` unchanged."""
    return text if "://" in text else Path(text)


@dataclass(frozen=True, slots=True)
class Flag:
    """One command-line option."""

    name: str
    help: str
    effect: Effect = "planned"
    field: str = ""
    """The field of `Options` that it fills; by default the flag's name. `run_options` builds fields that depend on
    several flags or need more than a value."""
    default: Any = None
    converts_to: Callable[[str], Any] | None = None
    """Converts the text to its value; None: keep the text."""
    choices: tuple[str, ...] = ()
    repeated: bool = False
    """Whether it may be given several times."""
    switch: bool = False
    """Takes no value."""
    metavar: str = ""
    low: int | None = None
    high: int | None = None
    """Bounds of its value, inclusive."""
    file: bool = False
    """Whether its value is a file that must exist."""
    bare: str | None = None
    """Its value if it is given without one; None: it needs one."""
    listed_short: bool = False
    """Whether the help lists its short form; for all others the help shows both forms."""

    @property
    def destination(self) -> str:
        """Name of its value after parsing."""
        return self.name.removeprefix("--").replace("-", "_")

    @property
    def long_name(self) -> str:
        """Its long form, which no other plugin uses: `--longtrail-seed`."""
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
        """The field's value without the flag."""
        return self.value(self.absent)

    @property
    def absent(self) -> Any:
        """What parsing a command line without it gives."""
        return False if self.switch else [] if self.repeated else self.default

    def shown_help(self) -> str:
        """Its help, with the names of all agents filled in."""
        if PLACE_OF_AGENTS not in self.help:
            return self.help
        from longtrail.agents.spec import agents_help

        return self.help.replace(PLACE_OF_AGENTS, agents_help())

    @property
    def settings(self) -> dict[str, Any]:
        """Its settings for argparse."""
        if self.switch:
            return {"action": "store_true", "help": self.help}
        given: dict[str, Any] = {"default": self.absent, "help": self.help}
        given |= {"action": "append"} if self.repeated else {}
        given |= {"nargs": "?", "const": self.bare} if self.bare is not None else {}
        form = {"type": self.converts_to, "metavar": self.metavar or "|".join(self.choices) or self._kind_of_value}
        return given | {name: value for name, value in form.items() if value}

    @property
    def _kind_of_value(self) -> str:
        """What help shows for a value without a name of its own: `N`, or the flag's name: `MODEL`."""
        return "N" if self.converts_to in (int, float) else self.destination.upper()

    def value(self, given: Any) -> Any:
        """The given value in the field's form. A `--no-...` switch sets its field to False."""
        if self.switch:
            return not given if self.name.startswith("--no-") else given
        if isinstance(given, Path):
            return given.resolve()
        return tuple(given) if self.repeated else given

    def check(self, given: Any) -> None:
        """Raise UsageError, in one line, for an invalid value."""
        if given is None:
            return
        from longtrail.errors import UsageError

        unknown = [value for value in (given if self.repeated else (given,)) if value not in self.choices]
        if self.choices and unknown:
            raise UsageError(f"{self.name}: expected {' or '.join(self.choices)}, got {unknown[0]!r}")
        if self.file and not given.is_file():
            raise UsageError(f"{self.name}: there is no file {given}")
        low, high = self.low, self.high
        if (low is not None and given < low) or (high is not None and given > high):
            expected = f"at least {low}" if high is None else f"{low} to {high}"
            raise UsageError(f"{self.name}: expected {expected}, got {given}")
