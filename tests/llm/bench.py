"""A client of the mock server: real litellm over real HTTP. Requests are counted, and waits are recorded."""

from longtrail.llm.client import Message, Reply
from longtrail.llm.failures import RetryPolicy
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer

FEW = RetryPolicy(retries=2, rate_limit_retries=3, timeout_retries=1)
HASTY = {
    "stall": {"idle": 2.5},
    "trickle": {"idle": 2.5, "total": 6.0},
    "pause": {"token": 2.0},
    "drip": {"total": 4.0},
}
"""Kind of slowness -> the deadlines that it must exceed. Others stay long: a busy machine might exceed them first."""
ALWAYS_SILENT = ("stall=20",)
"""No answer can be taken for a late one."""
HELLO = (Message(role="user", text="hello there"),)
LONG = (Message(role="user", text="one two three four " * 800),)
CANARY = "sk-canary-3f9b27d1c4a84e60"


class Bench:
    """A client of the mock server that records its waits instead of sleeping."""

    def __init__(self, server: MockServer) -> None:
        self.server = server
        self.waits: list[float] = []

    def client(self, model: str = "scripted-careful", args: dict[str, object] | None = None) -> LiteLLMClient:
        given = {"api_base": self.server.url, "api_key": CANARY, **(args or {})}
        _, _, fault = model.partition("@")
        hasty = {"idle": 0.5} if fault in ALWAYS_SILENT else HASTY.get(fault.partition("=")[0], {})
        patience = FEW.model_copy(update=hasty)
        return LiteLLMClient(f"openai/{model}", given, patience=patience, sleep=self.waits.append, chance=lambda: 0.0)

    def ask(self, model: str, messages: tuple[Message, ...] = HELLO, **args: object) -> Reply:
        """One call of a model. Its faults, which are counted by the model's whole name, begin again."""
        self.before = len(self.server.requests)
        self.waits.clear()
        self.server.forget()
        return self.client(model, args).complete(messages)

    @property
    def requests(self) -> int:
        return len(self.server.requests) - self.before
