"""What a test file imports to play cases: `from longtrail.testing import cases`."""

import pytest


def cases(*suites: str) -> pytest.MarkDecorator:
    """Parametrize a test with `case`: every planned case of these suites, in the conditions, lengths and repeats of the
    command line. `appeal` stands for the cases of decision tasks with an appeal, `twin` for counterfactual twins.

    The test's fixtures play it: `prompt`, `agent`, `first_part`, `history`, `episode`, `result`.
    """
    return pytest.mark.longtrail_cases(*suites)
