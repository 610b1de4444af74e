"""Faults: errors of model servers that the mock server simulates. They are named in code, by `--faults`, or in a
model's name: a kind of fault, or `SERVER.KIND`, a sample of data/server_errors.yaml (`xai.overflow`)."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from longtrail.errors import UsageError, did_you_mean
from longtrail.llm.server_errors import server_errors

FaultKind = Literal[
    "rate_limit",  # 429; value: the Retry-After header, or `ms=1500` for retry-after-ms
    "server_error",  # value: the status, 500 if none is given
    "unauthorized",
    "forbidden",
    "not_found",
    "bad_request",  # value: what it says
    "overflow",  # 400, the prompt is longer than the context window
    "stall",  # no byte for `value` seconds
    "trickle",  # headers, then one space every 50 ms for `value` seconds
    "pause",  # streamed: half of the answer, then no byte for `value` seconds; else as stall
    "drip",  # streamed: half of the answer, then the same token every 50 ms for `value` seconds; else as trickle
    "cut",  # streamed: half of the answer, and an orderly end without a reason; else as reset
    "truncated_json",
    "html",
    "no_choices",
    "no_content",
    "reset",  # the connection is reset in the middle of the body
    "wrong_model",
    "low_usage",
    "length",
    "content_filter",
    "sample",  # value: SERVER.KIND, a sample of data/server_errors.yaml
]
ERRORS = {
    "unauthorized": (401, "invalid_api_key", "Incorrect API key provided."),
    "forbidden": (403, "access_denied", "This key has no access to this model."),
    "not_found": (404, "model_not_found", "The model does not exist."),
    "bad_request": (400, "invalid_value", "Invalid value for a parameter."),
    "overflow": (
        400,
        "context_length_exceeded",
        "This model's maximum context length is 8192 tokens. Shorten the prompt.",
    ),
    "rate_limit": (429, "rate_limit_exceeded", "Rate limit reached."),
    "server_error": (500, "server_error", "The server had an error."),
}
"""The kinds that are an error: status, code and message."""
_SPEC = re.compile(r"^(?P<kind>[a-z_.]+)(?:=(?P<value>[^:]*))?(?::(?P<times>[0-9]+))?$")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, played `times` times before the server behaves again; None: always."""

    kind: FaultKind
    value: str = ""
    times: int | None = None


def from_model(name: str) -> tuple[str, Fault | None]:
    """`scripted-careful@server_error=503:2` -> the model `scripted-careful`, and a fault for its first two requests."""
    model, at, spec = name.partition("@")
    if not at:
        return name, None
    return model, parse_fault(spec)


def parse_fault(spec: str) -> Fault:
    """A fault from `KIND`, `KIND=VALUE`, `KIND=VALUE:TIMES` or `SERVER.KIND:TIMES`. Raises UsageError."""
    match = _SPEC.match(spec)
    kinds: dict[str, FaultKind] = {kind: kind for kind in get_args(FaultKind)}
    if match is not None:
        times = int(match["times"]) if match["times"] else None
        if match["kind"] in kinds:
            return Fault(kinds[match["kind"]], match["value"] or "", times)
        if server_errors().sample(match["kind"]):
            return Fault("sample", match["kind"], times)
    samples = [f"{name}.{kind}" for name, server in server_errors().servers.items() for kind in server.samples]
    hint = did_you_mean(spec, [*kinds, *samples])
    servers = ", ".join(server_errors().servers)
    raise UsageError(
        f"{spec!r} is not a fault{': ' + hint if hint else ''}; known are {', '.join(kinds)}, and SERVER.KIND with the "
        f"servers {servers} and the kinds {', '.join(dict.fromkeys(name.partition('.')[2] for name in samples))}"
    )
