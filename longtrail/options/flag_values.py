"""Flag values: the command line as fields of `Options`, their defaults and effects."""

from argparse import Namespace
from typing import Any

from longtrail.options.flag import Effect, Flag
from longtrail.options.flags import FLAGS
from longtrail.records.grouping import grouped

ADDED: dict[str, dict[str, Any]] = {flag.name: flag.settings for flag in FLAGS}
"""Each flag as argparse wants it."""


def read_from(option: Any) -> Namespace:
    """The values of Longtrail's options in pytest's namespace, by short name."""
    return Namespace(**{flag.destination: getattr(option, flag.pytest_option) for flag in FLAGS})


def initial(field: str) -> Any:
    """The default of a field of `Options` that one flag fills."""
    return _by_field()[field][0].initial


def fields(*effects: Effect) -> dict[str, str]:
    """Fields of `Options` that flags of these effects fill, in order, and the first flag of each."""
    return {field: flags[0].name for field, flags in _by_field().items() if flags[0].effect in effects}


def values(given: Any) -> dict[str, Any]:
    """The fields of `Options` that one flag fills, from the command line. Raises UsageError for invalid values."""
    for flag in FLAGS:
        flag.check(getattr(given, flag.destination))
    return {
        field: flags[0].value(getattr(given, flags[0].destination))
        for field, flags in _by_field().items()
        if len(flags) == 1
    }


def _by_field() -> dict[str, list[Flag]]:
    return grouped(FLAGS, lambda flag: flag.option)
