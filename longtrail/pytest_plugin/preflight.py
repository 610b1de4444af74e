"""Preflight: checks that report foreseeable failures in one line, before any case is played or anything is written."""

import socket
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from longtrail.agents.spec import AgentSpec
from longtrail.episode import accessibility
from longtrail.episode.own_apps import check_sites
from longtrail.errors import UsageError
from longtrail.llm.models import is_private, provider_of
from longtrail.llm.tokens import count
from longtrail.noise.injection import TOLERANCE
from longtrail.noise.pool import load_pool, shipped_pool
from longtrail.noise.selection import orthogonal
from longtrail.options.plan import check_judge, check_web, contender_of
from longtrail.options.run_options import Options
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.interference import with_interference
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask, LongContextTask

CONNECT_SECONDS = 10.0
"""Seconds for an agent's or a model's server to accept a connection."""
FIRST_PART = 20_000
"""Tokens of a long first part: noise and first part together fill a history."""

PROBE_SECONDS = 120.0
"""Longest wait: a server may load its model now."""
_PROTOCOL = frozenset({"openai", "hosted_vllm", "vllm", "lm_studio", "llamafile", "openai_like", "custom_openai"})
"""Providers whose servers speak OpenAI's protocol."""
_SYSTEM = "You are being tested. " + " ".join(f"Rule {number}: keep to rule {number + 1}." for number in range(40))


def check(options: Options, cases: Sequence[PlannedCase]) -> None:
    """Raise UsageError if these cases can't be played with these options."""
    check_web(options, cases)
    check_judge(options, cases)
    check_shifts(options, cases)
    accessibility.require(planned.task for planned in cases)
    check_sites(options.sites, (planned.task for planned in cases))
    for agent in dict.fromkeys(contender_of(planned, options).agent for planned in cases):
        if AgentSpec.parse(agent).kind == "http":
            check_server("--agent", agent)
    check_model_servers(options)
    check_noise(options, cases)
    check_interference(options, cases)


def check_model_servers(options: Options) -> None:
    """Raise UsageError if a private model server is not there, or has no chat, or drops the system message."""
    if is_private(declared := options.agent_args.get("base_url", "")):
        check_server("--agent-arg base_url", declared)
    server = str(options.model_args.get("api_base", ""))
    called = any(contender.model for contender in options.contenders)
    if called and is_private(server) and (options.cassette is None or options.cassette.mode == "record"):
        check_server("--model-arg api_base", server)  # servers of others may be reachable through a proxy only
        for model in dict.fromkeys(contender.model for contender in options.contenders if contender.model):
            if problem := system_problem(model, options.model_args):
                raise UsageError(problem)


def system_problem(model: str, args: Mapping[str, Any]) -> str:
    """One line if the server drops or refuses the system message, or answers without a chat; otherwise nothing, also if
    it can't be asked. Only private servers are asked, with one call of one token, as it costs nothing there."""
    address = str(args.get("api_base", ""))
    if "system" in args or not is_private(address) or provider_of(model) not in _PROTOCOL:
        return ""
    fresh = f"Test {uuid4()}. {_SYSTEM}"  # some servers do not count the tokens that they still have from a call before
    messages = [{"role": "system", "content": fresh}, {"role": "user", "content": "Say yes."}]
    body = {"model": model.partition("/")[2] or model, "messages": messages, "max_tokens": 1}
    headers = {"Authorization": f"Bearer {args.get('api_key', 'none')}"}
    try:
        response = httpx.post(
            f"{address.rstrip('/')}/chat/completions",
            json=body,
            headers=headers,
            timeout=PROBE_SECONDS,
            trust_env=False,
        )
        answer = response.json()
        if response.is_success and answer.get("error") and not answer.get("choices"):
            parts = urlsplit(address)
            hint = "" if "/v1" in parts.path else f"; most servers want {parts.scheme}://{parts.netloc}/v1"
            return f"--model-arg api_base={address}: the server has no chat there ({str(answer['error'])[:200]}){hint}"
        tokens = answer["usage"]["prompt_tokens"] if response.is_success else None
    except (httpx.HTTPError, ValueError, KeyError, TypeError, AttributeError):  # the run itself will say what is wrong
        return ""
    refused = not response.is_success and "system" in response.text.lower() and "role" in response.text.lower()
    if refused or (isinstance(tokens, int) and 0 < tokens < count(_SYSTEM) / 2):
        does = "refuses" if refused else "drops"
        return f"the server of model {model!r} {does} the system message: give --model-arg system=user"
    return ""


def check_shifts(options: Options, cases: Sequence[PlannedCase]) -> None:
    """Raise UsageError for a shift of an agent that drives the browser itself: it gives one decision, not many; and for
    the size of a notebook that nobody has."""
    if options.notebook and not any(planned.case.notebook for planned in cases):
        raise UsageError('--notebook: no case has a notebook of its own; add -m "shift and sessions"')
    for planned in cases:
        if planned.case.shift and AgentSpec.parse(agent := contender_of(planned, options).agent).drives_browser:
            raise UsageError(
                f"--agent {agent}: {planned.case.id} is a shift, which needs an agent that is asked at each step"
            )


def check_server(flag: str, address: str) -> None:
    """Raise UsageError if nothing accepts connections at the address that a flag names: an agent's or a model's
    server."""
    parts = urlsplit(address)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=CONNECT_SECONDS).close()
    except OSError as error:
        raise UsageError(
            f"{flag} {address}: nothing answers there ({error.strerror or error}); start it first"
        ) from None


def check_interference(options: Options, cases: Sequence[PlannedCase]) -> None:
    """Raise UsageError if a case with interference has no lookalikes."""
    for planned in cases if options.interference != "off" else ():
        if isinstance(planned.task, LongContextTask):
            if options.variant is not None:
                raise UsageError("--interference: its entries belong to the shipped tasks; remove --variant")
            with_interference(planned.task)


def check_noise(options: Options, cases: Sequence[PlannedCase]) -> None:
    """Raise UsageError for a length that the noise pool certainly can't fill. Lengths near the pool's size are checked
    only when a case is played."""
    longest: dict[str, tuple[int, LongContextTask | DecisionTask]] = {}
    for planned in cases:
        length = planned.case.noise_tokens or 0
        if (
            length
            and length >= longest.get(planned.task.id, (0,))[0]
            and not isinstance(planned.task, AppTask | ShiftTask)
        ):
            longest[planned.task.id] = length, planned.task
    if not longest:
        return
    pool = load_pool(options.noise_pool) if options.noise_pool else shipped_pool()
    for length, task in longest.values():
        wanted = length * (1 - TOLERANCE) - FIRST_PART
        if wanted > pool.tokens / 2:  # most of a pool is irrelevant to any task, and the exact selection is slow
            available = sum(noise.tokens for noise in orthogonal(task, pool))
            if available < wanted:
                raise UsageError(
                    f"--lengths: {length} tokens can't be filled for {task.id}: the noise pool holds {available} that "
                    "are irrelevant to it; ask for shorter lengths or give --noise-pool"
                )
