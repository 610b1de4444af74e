"""The options and shared fixtures of `tests/`, also for a session that runs only the workshop's tests."""

from tests.conftest import embedded_web, pytest_addoption, shared_browser

__all__ = ["embedded_web", "pytest_addoption", "shared_browser"]
