"""Free names: is a short option somebody else's?"""

import pytest


def free(parser: pytest.Parser, name: str) -> bool:
    """Does nobody's option have this name yet?"""
    try:
        return name in parser.parse_known_and_unknown_args([name])[1]
    except pytest.UsageError:  # somebody's, and it expects a value
        return False
