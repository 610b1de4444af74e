"""Case reports: what is otherwise in pytest's reports of cases: no key stands in them."""

from collections.abc import Generator, Iterable
from typing import Any

from pluggy import HookimplMarker

from longtrail.llm.secrets import SecretFilter, redact

hookimpl = HookimplMarker("pytest")


class CaseReports:
    """Hooks of a session that plays cases, registered once it is known to."""

    def __init__(self, nodeids: frozenset[str]) -> None:
        """`nodeids`: of the tests that carry a case. The reports of all others stay as they are."""
        self._nodeids = nodeids

    @hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: Any) -> Generator[None, Any, Any]:
        """No key stands in a report, whatever was logged, printed, or held by a variable that a traceback shows."""
        report = yield
        if item.nodeid in self._nodeids:
            report.sections = [(name, redact(text)) for name, text in report.sections]
            if report.longrepr is not None and redact(text := str(report.longrepr)) != text:
                report.longrepr = redact(text)
        return report


def no_keys_in_reports(config: Any, nodeids: Iterable[str]) -> None:
    """Register the hooks for the tests that carry a case. `config`: pytest's."""
    config.pluginmanager.register(CaseReports(frozenset(nodeids)), "longtrail-reports")


def no_keys_in_logs(config: Any) -> None:
    """Let no key through to pytest's handlers of logs."""
    logs = config.pluginmanager.getplugin("logging-plugin")
    for handler in (logs.caplog_handler, logs.report_handler, logs.log_file_handler, logs.log_cli_handler):
        handler.addFilter(SecretFilter())
