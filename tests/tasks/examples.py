"""Small example tasks for tests: one of each kind, complete and valid."""

from typing import Any

from tests.tables import tables_of


def long_context(**changes: Any) -> dict[str, Any]:
    """A long-context task as a YAML entry."""
    return {**tables_of(__file__)["long_context"], **changes}


def decision(**changes: Any) -> dict[str, Any]:
    """A decision task as a YAML entry."""
    return {**tables_of(__file__)["decision"], **changes}
