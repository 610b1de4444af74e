"""Case reports: removes API keys from pytest's reports of cases."""

from collections.abc import Generator, Iterable
from typing import Any

from pluggy import HookimplMarker

from longtrail.llm.secrets import SecretFilter, redact

hookimpl = HookimplMarker("pytest")


class CaseReports:
    """Hooks of a session that plays cases; registered when that is known."""

    def __init__(self, nodeids: frozenset[str]) -> None:
        """`nodeids`: the ids of the tests that play a case. Reports of other tests are not changed."""
        self._nodeids = nodeids

    @hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any) -> Generator[None, Any, Any]:
        """Remove keys from a report: from logs, output and variables in tracebacks."""
        report = yield
        if item.nodeid in self._nodeids:
            report.sections = [(name, redact(text)) for name, text in report.sections]
            if report.longrepr is not None and redact(text := str(report.longrepr)) != text:
                report.longrepr = redact(text)
        return report


def no_keys_in_reports(config: Any, nodeids: Iterable[str]) -> None:
    """Register the hooks for the tests that play a case. `config`: pytest's."""
    config.pluginmanager.register(CaseReports(frozenset(nodeids)), "longtrail-reports")


def no_keys_in_logs(config: Any) -> None:
    """Remove keys from the records that pytest's log handlers get."""
    logs = config.pluginmanager.getplugin("logging-plugin")
    for handler in (logs.caplog_handler, logs.report_handler, logs.log_file_handler, logs.log_cli_handler):
        handler.addFilter(SecretFilter())
