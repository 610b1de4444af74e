"""Model calls of a session: each process makes its own, but those of xdist's workers are made by their controller."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from longtrail.llm.call_book import CallBook
from longtrail.llm.call_server import CallServer, ServedCalls
from longtrail.llm.client import ModelCalls
from longtrail.llm.limits import CallLimits, CallStore, Limiter
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.pytest_plugin.played_tests import no_keys_in_logs
from longtrail.pytest_plugin.xdist_start import CALLS, WorkerSetup
from longtrail.runs.store import Run

SERVER = "longtrail-call-server"
"""The name by which the controller registers its `CallServer`."""


@dataclass
class OwnCalls:
    """Model calls that this process makes itself. See `ModelCalls`."""

    limiter: Limiter

    @property
    def contender(self) -> str:
        return self.limiter.contender

    @contender.setter
    def contender(self, label: str) -> None:
        self.limiter.contender = label

    def client(self, model: str, args: Mapping[str, Any]) -> LiteLLMClient:
        return LiteLLMClient(model, args, limiter=self.limiter)


def model_calls(config: Any, folder: Path, limits: CallLimits) -> ModelCalls:
    """The model calls of this process for the run in a folder. `config`: pytest's."""
    given, setup = getattr(config, "workerinput", {}), WorkerSetup.of(config)
    if setup and setup.calls:
        return ServedCalls(setup.calls, given["workerid"], folder, limits)
    return OwnCalls(_limiter(folder, limits, given.get(CALLS)))


def server_address(config: Any) -> str:
    """In the controller: the address of the server that makes its workers' calls. The first call starts it; it ends
    with the session."""
    if not config.pluginmanager.hasplugin(SERVER):
        no_keys_in_logs(config)
        server = CallServer(_limiter)
        config.add_cleanup(server.close)
        config.pluginmanager.register(server, SERVER)
    address: str = config.pluginmanager.getplugin(SERVER).address
    return address


def _limiter(folder: Path, limits: CallLimits, store: CallStore | None = None) -> Limiter:
    run = Run.open(folder)
    return Limiter(store or CallBook(folder, limits), lambda: run.stop_reason)
