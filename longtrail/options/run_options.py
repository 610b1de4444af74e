"""Run options: what the user asked for on pytest's command line, checked before anything starts."""

import hashlib
import os
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from longtrail.agents.spec import WITH_MODEL, WITHOUT_MODEL, AgentSpec
from longtrail.errors import UsageError, did_you_mean
from longtrail.llm.cassette import Cassette
from longtrail.llm.limits import CallLimits
from longtrail.llm.secrets import is_secret, keep_secret
from longtrail.options.flags import initial, values
from longtrail.options.gate_rules import GateRules, session_gate
from longtrail.options.value_forms import (
    DEFAULT_LENGTHS,
    Shard,
    live_hosts,
    own_sites,
    pairs,
    read_lengths,
    read_placements,
    recorded_seconds,
    variant_seed,
)
from longtrail.records.case import (
    ActionChoice,
    FirstSubtask,
    InterferenceKind,
    LiveCommits,
    NeedlePlace,
    NoiseKind,
    ObservationForm,
    WebKind,
)
from longtrail.records.record import Record
from longtrail.records.trajectory import Contender
from longtrail.tasks.cases import Conditions, slug
from longtrail.tasks.loading import matches, tasks_checksum

IDENTITY = ("max_tokens", "max_completion_tokens", "reasoning_effort")
"""Model arguments that define another contender; they are part of its options."""


class Options(Record):
    """The checked options of a run; sent to the workers as JSON."""

    contenders: tuple[Contender, ...]
    model_args: dict[str, Any] = {}
    agent_args: dict[str, str] = {}
    """As given on the command line; the recorded contenders have them without secrets."""
    judge: str = ""
    """A model that judges the rubrics of own tasks; empty: none."""
    judge_args: dict[str, Any] = {}
    tasks: tuple[str, ...] = ()
    """The globs of `--task`, which choose among all tasks."""
    own_tasks: Path | None = None
    """The folder of `--tasks`, with the user's own task files."""
    conditions: Conditions = Conditions()
    sites: dict[str, str] = {}
    """Sites and apps at the user's own addresses: name -> address."""
    twins: bool = initial("twins")
    """Whether the counterfactual twins of the chosen tasks are played, too."""
    sample: int | None = initial("sample")
    seed: int = initial("seed")
    shard: Shard | None = None
    balance: Path | None = initial("balance")
    """The results whose recorded times make the shards equally long."""
    first_subtask: FirstSubtask = initial("first_subtask")
    stop_on_success: bool = initial("stop_on_success")
    noise_pool: Path | None = initial("noise_pool")
    noise: NoiseKind = initial("noise")
    needle: NeedlePlace = initial("needle")
    interference: InterferenceKind = initial("interference")
    notebook: int | None = initial("notebook")
    web: WebKind = initial("web")
    actions: ActionChoice = initial("actions")
    live_commits: LiveCommits = initial("live_commits")
    live_hosts: dict[str, str] = {}
    """The user's staging sites: name -> address on this machine."""
    observation: ObservationForm = initial("observation")
    observation_tokens: int = initial("observation_tokens")
    shots: bool = initial("shots")
    appeal_turns: int = initial("appeal_turns")
    case_timeout: float = initial("case_timeout")
    case_tokens: int | None = initial("case_tokens")
    case_cost: float | None = initial("case_cost")
    disruptions: int | None = initial("disruptions")
    """Seed of the disruptions on consumer sites; None: no disruptions."""
    variant: int | None = initial("variant")
    """Seed of the variant of the shipped tasks; None: as they ship."""
    reports: Path
    address: str = ""
    """Where a copy of the run is kept, if `--reports` is an address; the run itself is played in a local folder."""
    run: str = ""
    tags: dict[str, str] = {}
    note: str = ""
    summary_md: Path | None = None
    cassette: Cassette | None = None
    resume: bool = False
    """Continue the run of this name."""
    ray: str | None = initial("ray")
    """Address of the Ray cluster that plays the cases, or `local`; None: pytest itself plays them."""
    ray_workers: int | None = initial("ray_workers")
    ray_runtime_env: Path | None = initial("ray_runtime_env")
    limits: CallLimits = CallLimits()
    baseline: Path | None = None
    baseline_contender: str = ""
    rules: GateRules = GateRules()
    """The gate's settings, if there is a baseline."""

    def model_post_init(self, _: Any) -> None:
        """Register keys on the command line as secrets; every process calls this."""
        for given in (self.model_args, self.judge_args, self.agent_args):
            keep_secret(*(str(value) for name, value in given.items() if is_secret(name, value)))

    def public(self) -> dict[str, Any]:
        """The options without keys, tokens and passwords, for files."""
        shown = self.model_dump(mode="json", exclude={"address"})
        shown |= {name: _shown(shown[name]) for name in ("model_args", "judge_args", "agent_args")}
        if self.noise_pool is not None:  # another pool can have the same file name
            digest = hashlib.sha256(self.noise_pool.read_bytes()).hexdigest()
            shown["noise_pool"] = f"{self.noise_pool.name} ({digest[:12]})"
        if self.balance is not None:  # machines may have different folders
            shown["balance"] = hashlib.sha256(self.balance.read_bytes()).hexdigest()[:12]
        if self.own_tasks is not None:  # the same
            shown["own_tasks"] = tasks_checksum(self.own_tasks, self.tasks)
        return shown


def read_options(given: Any, root: Path) -> Options:
    """Options from pytest's namespace. Raises UsageError, in one line, for the first invalid one."""
    from longtrail.llm.models import parse_args

    lengths, relocated = read_lengths(given.lengths or DEFAULT_LENGTHS)
    crossed = given.lengths is not None and any(lengths)
    address = given.reports if isinstance(given.reports, str) else ""
    reports = (root / "reports" if address else given.reports or root / "reports").resolve()
    plain = {name: value for name, value in values(given).items() if name in Options.model_fields}
    model_args = parse_args(given.model_arg)
    judge_args = parse_args(given.judge_arg)
    called = given.replay is None and not given.estimate
    if given.judge:
        _vision(given.judge, judge_args, called=called, option="--judge-arg")
    gate = session_gate(given, reports / "runs")
    composed = {
        "contenders": _contenders(given, model_args, called=called),
        "model_args": model_args,
        "judge_args": judge_args,
        "agent_args": pairs("--agent-arg", given.agent_arg),
        "conditions": Conditions(
            lengths=lengths,
            relocated=relocated,
            repeats=gate["rules"].max_repeats if gate and gate["rules"].sequential else given.repeats,
            noise=given.noise,
            needle=given.needle,
            interference=given.interference,
            notebook=given.notebook,
            placements=read_placements(given.placement, crossed=crossed),
            variant=variant_seed(given),
        ),
        "live_hosts": live_hosts(given),
        "reports": reports,
        "address": address,
        "shard": Shard.parse(given.shard) if given.shard else None,
        "balance": recorded_seconds(given.balance, reports / "runs"),
        "sites": own_sites(given),
        "tags": pairs("--tag", given.tag),
        "run": _run_name(given),
        "cassette": _cassette(given),
        "resume": bool(given.resume),
        "limits": _limits(given, model_args, judge_args),
        **gate,
    }
    try:
        return Options(**{**plain, **composed})
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"--{'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def select_tasks(known: dict[str, Any], globs: tuple[str, ...]) -> dict[str, Any]:
    """The tasks whose id matches any of the globs (ignoring case). Raises UsageError for a glob without a match."""
    for glob in globs:
        if not any(matches(task, (glob,)) for task in known):
            hint = did_you_mean(glob, known) or f"known are e.g. {', '.join(sorted(known)[:3])}"
            raise UsageError(f"--task {glob}: no task has this id; {hint} (tasks of your own: add --tasks=FOLDER)")
    if not globs:
        return known
    return {name: task for name, task in known.items() if matches(name, globs)}


def _contenders(given: Any, model_args: dict[str, Any], *, called: bool) -> tuple[Contender, ...]:
    from longtrail.agents import prompt_files as prompts

    agent_args = pairs("--agent-arg", given.agent_arg)
    specs = [AgentSpec.parse(agent) for agent in dict.fromkeys(given.agent)]
    specs = specs or [AgentSpec.parse(WITH_MODEL if given.model else WITHOUT_MODEL)]
    prompts.find_profile(given.profile)
    for spec in specs:
        _ = spec.factory  # checks that the name exists
        if spec.drives_browser and given.first_subtask == "reference":
            raise UsageError("--first-subtask reference: an agent that drives the browser itself plays both parts")
        if spec.kind == "human" and (strange := sorted(agent_args.keys() - {"name"})):
            raise UsageError(f"--agent-arg {strange[0]}: a person has only a name: --agent-arg name=ana")
        if spec.calls_model and not given.model:
            raise UsageError(f"--agent {spec.name} needs a model: add --model, e.g. --model gpt-4.1")
    if given.model and not any(spec.takes_model for spec in specs):
        raise UsageError(f"--agent {specs[0].name} uses no model: remove --model")
    models = tuple(dict.fromkeys(given.model))
    chosen = {name: model_args[name] for name in IDENTITY if name in model_args}
    for name in sorted(chosen.keys() & agent_args.keys()):
        raise UsageError(f"{name}: give --model-arg (for every call) or --agent-arg (for the agent's plans), not both")
    found = [
        Contender(
            agent=spec.name,
            model=model,
            profile=given.profile,
            vision=_vision(model, model_args, called=called) if model else _declares_vision(spec, agent_args),
            options={**_shown(agent_args), **(chosen if model else {})},
            prompts=prompts.fingerprint(spec.name, given.profile),
        )
        for spec in specs
        for model in (models if models and spec.takes_model else (None,))
    ]
    named = {slug(contender.label): contender for contender in found}
    for contender in found:
        if named[slug(contender.label)] is not contender:
            raise UsageError(
                f"--agent {contender.agent}: another agent of this run has the same name; use separate runs"
            )
    return tuple(found)


def _vision(model: str, args: dict[str, Any], *, called: bool, option: str = "--model-arg") -> bool:
    """Whether the model accepts images. Raises UsageError for a model that can't be called."""
    from longtrail.llm.litellm_client import LiteLLMClient
    from longtrail.llm.models import missing_key, validate

    facts = validate(model, args)
    LiteLLMClient(model, args)  # this calls no model, but rejects invalid arguments
    if called and (problem := missing_key(model, os.environ, args, option)):
        raise UsageError(problem)
    return bool(args.get("vision", facts.vision))


def _declares_vision(spec: AgentSpec, agent_args: dict[str, str]) -> bool:
    """Whether what a picture shows counts as shown to an agent without `--model`: only for the oracle and with
    `vision=true`. (Every agent's `View` has the screenshot.)"""
    said = agent_args.get("vision", str(spec.knows_reference)).lower()
    if said not in ("true", "false"):
        raise UsageError(f"--agent-arg vision={said}: expected true or false")
    return said == "true"


def _shown(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments without secrets, for records."""
    return {name: "(hidden)" if is_secret(name, value) else value for name, value in args.items()}


def _run_name(given: Any) -> str:
    """The name given by --run, or of the run to resume (by its name or its folder)."""
    if given.run and given.resume:
        raise UsageError("--run names a new run, --resume continues an existing one: give only one of them")
    name: str = given.run or Path(given.resume).name
    if slug(name) != name:
        raise UsageError(f"--{'run' if given.run else 'resume'}: expected a name of a-z, 0-9, - and _, got {name!r}")
    return name


def _cassette(given: Any) -> Cassette | None:
    folder: Path | None = given.record or given.replay
    if folder is None:
        return None
    if given.record and given.replay:
        raise UsageError("--record writes a cassette, --replay reads one: give only one of them")
    if not given.model and not given.judge:
        raise UsageError("--record and --replay need a --model")
    if given.replay and not folder.is_dir():
        raise UsageError(f"--replay: there is no folder {folder}")
    return Cassette(folder=folder.resolve(), mode="record" if given.record else "replay")


def _limits(given: Any, model_args: dict[str, Any], judge_args: dict[str, Any]) -> CallLimits:
    """The run's limits. Raises UsageError for a budget that can't be enforced: a price is unknown, or there is no
    `--model`."""
    from longtrail.llm.models import PRICES, facts, usd_per_token

    limits = CallLimits(rpm=given.rpm, tpm=given.tpm, budget=given.budget, concurrency=given.concurrency)
    called = [(model, "--model-arg", model_args) for model in given.model]
    called += [(given.judge, "--judge-arg", judge_args)] if given.judge else []
    if limits != CallLimits() and not called:
        raise UsageError("--rpm, --tpm, --budget and --concurrency need a --model")
    for model, option, args in called if limits.budget else ():
        if usd_per_token(facts(model), args) is None:
            own = " and ".join(f"{option} {price}=USD" for price in PRICES)
            raise UsageError(f"--budget: the price of model {model!r} is unknown; give {own}")
    return limits
