"""The run that the reports' tests look at."""

from tests.report.conftest import real

__all__ = ["real"]
