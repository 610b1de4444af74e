"""The run that the tests of reports use."""

from tests.report.conftest import real

__all__ = ["real"]
