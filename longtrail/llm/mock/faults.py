"""Faults: errors of model servers that the mock server simulates. They are named in code or in a model's name."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from longtrail.errors import UsageError

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
]
_SPEC = re.compile(r"^(?P<kind>[a-z_]+)(?:=(?P<value>[^:]*))?(?::(?P<times>[0-9]+))?$")


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
    match = _SPEC.match(spec)
    kinds: dict[str, FaultKind] = {kind: kind for kind in get_args(FaultKind)}
    if match is None or match["kind"] not in kinds:
        raise UsageError(f"{spec!r} is not a fault; known are {', '.join(kinds)}")
    times = int(match["times"]) if match["times"] else None
    return model, Fault(kinds[match["kind"]], match["value"] or "", times)
