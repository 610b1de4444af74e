"""Quiet: silences warnings of model calls that run while tests begin and end, and pytest changes the warning
filters."""

from collections.abc import Generator

from pluggy import HookimplMarker

from longtrail.llm.quiet_calls import hush

hookimpl = HookimplMarker("pytest")


class QuietCalls:
    """Hooks of a session whose episodes are played before their tests."""

    def __init__(self) -> None:
        hush()  # a test's filters are set already

    @hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """The innermost wrapper: pytest has set the test's filters."""
        hush()
        return (yield)
