"""The exceptions of Longtrail.

    LongtrailError
    |-- UsageError             an option, a marker or a key that the user can correct; one line, exit code 4
    |   `-- CredentialsError   a model's server refused the key during a run: the run stops
    |-- DataError              a task, site or record file is wrong; says file, field and what was expected
    |-- AgentError             the user's own agent failed: the case fails and is not played again
    `-- HarnessTrouble         the harness, the model's server or a site failed: the case is invalid, never failed
        `-- AgentServerTrouble   the model's server of the user's own agent failed: only one further attempt

While a case is played, the model client retries, the loop of a phase ends at an AgentError, and the episode runner
turns HarnessTrouble, and any exception that is a bug of ours, into an invalid trajectory.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, get_args

TroubleKind = Literal[
    "llm_rate_limit",
    "llm_server",
    "llm_timeout",
    "llm_network",
    "llm_refusal",
    "llm_truncated",
    "llm_context_overflow",
    "llm_budget",
    "cassette_miss",
    "site_error",
    "site_timeout",
    "anti_bot",
    "browser_crash",
    "worker_crash",
    "harness_bug",
    "evaluator_error",
    "storage",
    "cancelled",
]
"""Kinds of trouble that the agent did not cause. (`llm_refusal` is the exception: it counts as the agent's failure.)"""

TROUBLE_KINDS: tuple[TroubleKind, ...] = get_args(TroubleKind)


class LongtrailError(Exception):
    """Base class of all exceptions that Longtrail raises on purpose."""


class UsageError(LongtrailError):
    """The command can't be carried out as given. The text is one line, complete, and says what would work."""


class CredentialsError(UsageError):
    """A model's server refused the key. The run stops at once, because every other case would fail too."""


class DataError(LongtrailError):
    """A data file is wrong: `file: path.to.field: what was expected`."""

    def __init__(self, file: Path | str, field: str, message: str) -> None:
        self.file, self.field, self.message = str(file), field, message
        super().__init__(f"{file}: {field}: {message}" if field else f"{file}: {message}")

    def __reduce__(self) -> tuple[type["DataError"], tuple[str, str, str]]:
        """Pickle it by its three parts, so that another process can raise it again."""
        return type(self), (self.file, self.field, self.message)


class AgentError(LongtrailError):
    """The user's own agent raised an exception, sent an error or exited with one. Its case fails."""

    def __init__(self, message: str, traceback: str = "") -> None:
        self.message, self.traceback = message, traceback
        super().__init__(message)


class HarnessTrouble(LongtrailError):
    """Trouble of the harness, the model's server or a site. Makes the case invalid."""

    def __init__(self, kind: TroubleKind, message: str) -> None:
        self.kind, self.message = kind, message
        super().__init__(f"{kind}: {message}")

    def __reduce__(self) -> tuple[type["HarnessTrouble"], tuple[TroubleKind, str]]:
        """Pickle it by its two parts, so that another process can raise it again."""
        return type(self), (self.kind, self.message)


class AgentServerTrouble(HarnessTrouble):
    """The model's server of the user's own agent failed. Only one further attempt follows: we can't see the cause."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`did you mean pw-025?`: the most similar known name, ignoring case; empty if none is similar."""
    import difflib  # seldom needed

    names = {name.casefold(): name for name in known}
    near = difflib.get_close_matches(word.casefold(), names, n=1, cutoff=0.6)
    return f"did you mean {names[near[0]]}?" if near else ""
