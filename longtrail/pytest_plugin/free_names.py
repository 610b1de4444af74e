"""Free names: does another plugin use this short option?"""

import pytest


def free(parser: pytest.Parser, name: str) -> bool:
    """Whether no option has this name yet."""
    try:
        return name in parser.parse_known_and_unknown_args([name])[1]
    except pytest.UsageError:  # another plugin has an option of this name that expects a value
        return False
