"""Playing: the hooks of a session whose episodes are played before their tests."""

from collections.abc import Generator

from pluggy import HookimplMarker

from longtrail.llm.quiet_calls import hush
from longtrail.pytest_plugin.player import Player

hookimpl = HookimplMarker("pytest")


class Playing:
    """Silences warnings of model calls that run while tests begin and end, and pytest changes the warning filters; and
    ends the episodes before anything collects their records."""

    def __init__(self, player: Player) -> None:
        self._player = player
        hush()  # a test's filters are set already

    @hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        """The innermost wrapper: pytest has set the test's filters."""
        hush()
        return (yield)

    @hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """After `-x` or Ctrl-C the fixtures are closed only later, when the results are already written."""
        self._player.close()
