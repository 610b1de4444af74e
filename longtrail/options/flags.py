"""Flags: the command-line options that Longtrail adds to pytest. `flags.toml` declares each once.

pytest loads this module at every start, in every repository: it imports next to nothing. (The file is TOML because
pytest itself reads that.) To add a flag, declare it there and add its field to `Options` (`run_options`). The
declaration determines the help text, the check, what a resumed run may change and what the gate compares.
"""

import tomllib
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from longtrail.errors import UsageError
from longtrail.records.grouping import grouped

Effect = Literal["measured", "planned", "free"]
"""The effect of a flag. `measured`: it changes what is measured; the gate compares it, and a resumed run must keep it.
`planned`: it changes who plays which cases or how they are judged; a resumed run must keep it. `free`: neither."""
PLACE_OF_AGENTS = "{agents}"
"""Placeholder in a help text for the names of the built-in agents."""
THIS_MACHINE = "local"
"""What `--ray` without an address means."""


def folder_or_address(text: str) -> Path | str:
    """A folder as a path, or an fsspec address such as `s3://bucket/longtrail` unchanged."""
    return text if "://" in text else Path(text)


CONVERTERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "path": Path,
    "address": folder_or_address,
}
"""Kind of a value -> what makes it from the text."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One command-line option."""

    section: str
    """Its table in `flags.toml`."""
    name: str
    help: str
    kind: Literal["text", "int", "float", "path", "address"] = "text"
    """The form of its value."""
    effect: Effect = "planned"
    field: str = ""
    """The field of `Options` that it fills; by default the flag's name. `run_options` builds fields that depend on
    several flags or need more than a value."""
    default: Any = None
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
    needs: str = ""
    """Another flag without which it means nothing, as a message names it: `--gate sequential`."""
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
        """The field of `Options` that it fills."""
        return self.field or self.destination

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
        """The arguments of argparse's `add_argument`."""
        if self.switch:
            return {"action": "store_true", "help": self.help}
        given: dict[str, Any] = {"default": self.absent, "help": self.help}
        given |= {"action": "append"} if self.repeated else {}
        given |= {"nargs": "?", "const": self.bare} if self.bare is not None else {}
        form = {
            "type": CONVERTERS.get(self.kind),
            "metavar": self.metavar or "|".join(self.choices) or self._shown_value,
        }
        return given | {name: value for name, value in form.items() if value}

    @property
    def _shown_value(self) -> str:
        """What help shows for a value without a name of its own: `N`, or the flag's name: `MODEL`."""
        return "N" if self.kind in ("int", "float") else self.destination.upper()

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
        unknown = [value for value in (given if self.repeated else (given,)) if value not in self.choices]
        if self.choices and unknown:
            raise UsageError(f"{self.name}: expected {' or '.join(self.choices)}, got {unknown[0]!r}")
        if self.file and not given.is_file():
            raise UsageError(f"{self.name}: there is no file {given}")
        low, high = self.low, self.high
        if (low is not None and given < low) or (high is not None and given > high):
            expected = f"at least {low}" if high is None else f"{low} to {high}"
            raise UsageError(f"{self.name}: expected {expected}, got {given}")


def _declared() -> tuple[Flag, ...]:
    sections = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(
        Flag(section, name, **{**entry, "choices": tuple(entry.get("choices", ()))})
        for section, entries in sections.items()
        for name, entry in entries.items()
    )


FLAGS = _declared()
ADDED: dict[str, dict[str, Any]] = {flag.name: flag.settings for flag in FLAGS}
"""Each flag with the arguments of argparse's `add_argument`."""
GATE = tuple(flag.name for flag in FLAGS if flag.section == "gate")
"""The gate's flags."""
_BY_FIELD = grouped(FLAGS, lambda flag: flag.option)


def read_from(option: Any) -> Namespace:
    """The values of Longtrail's options in pytest's namespace, by short name."""
    return Namespace(**{flag.destination: getattr(option, flag.pytest_option) for flag in FLAGS})


def initial(field: str) -> Any:
    """The default of a field of `Options` that one flag fills."""
    flag = _BY_FIELD[field][0]
    return flag.value(flag.absent)


def fields(*effects: Effect) -> dict[str, str]:
    """Fields of `Options` that flags of these effects fill, in order, and the first flag of each."""
    return {field: flags[0].name for field, flags in _BY_FIELD.items() if flags[0].effect in effects}


def check(given: Any) -> None:
    """Raise UsageError for the first invalid value on a command line, which may have only some of the flags."""
    for flag in FLAGS:
        value = getattr(given, flag.destination, flag.absent)
        flag.check(value)
        needed = flag.needs.partition(" ")[0].removeprefix("--")
        if value != flag.absent and needed and not getattr(given, needed):
            raise UsageError(f"{flag.name}: needs {flag.needs}")


def values(given: Any) -> dict[str, Any]:
    """The fields of `Options` that one flag fills, from the command line. Raises UsageError for invalid values."""
    check(given)
    return {
        field: flags[0].value(getattr(given, flags[0].destination))
        for field, flags in _BY_FIELD.items()
        if len(flags) == 1
    }
