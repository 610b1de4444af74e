"""Page errors: what went wrong in a user's app while an agent used it."""

from collections.abc import Mapping, Sequence

from longtrail.checks.key_steps import Hit
from longtrail.records.result import Metric
from longtrail.records.trajectory import Step
from longtrail.scoring.measure import Measure

SERVER_ERROR = 500
"""The lowest status of an error of the app itself."""
MEASURES = tuple(
    Measure(kind="mean", name=name, suites=("app",), says=says, high=None)
    for name, says in (
        ("server_errors", "requests that the app answered with a status of 500 or more"),
        ("failed_requests", "requests that got no answer"),
        ("console_errors", "errors in the browser's console, and uncaught exceptions of scripts"),
    )
)


def page_error_metrics(steps: Sequence[Step]) -> Mapping[str, Metric]:
    """The measures of an episode."""
    errors = [error for step in steps for error in step.page_errors]
    lines = {
        "server_errors": [line for step in steps for line in _server_errors(step)],
        "failed_requests": [error.text for error in errors if error.kind == "request"],
        "console_errors": [error.text for error in errors if error.kind != "request"],
    }
    return {name: Metric(value=len(texts), reason=texts[0] if texts else "none") for name, texts in lines.items()}


def no_server_error(steps: Sequence[Step]) -> Hit:
    """The key step of tasks with `no_server_error: true`."""
    for step in steps:
        for line in _server_errors(step):
            return Hit(name="no_server_error", step=None, reason=f"{line} at step {step.number}")
    return Hit(name="no_server_error", step=len(steps) or None, reason="the app answered every request")


def _server_errors(step: Step) -> list[str]:
    answered = (request for request in step.requests if request.status >= SERVER_ERROR)
    return [f"{request.method} {request.url} was answered with {request.status}" for request in answered]
