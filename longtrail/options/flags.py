"""Flags: what Longtrail adds to pytest's command line. Each is declared once: name, form, default, check, effect, help.

To add one: declare it here, and give `Options` the field that it fills (`run_options`). The help, the check, what a
resumed run may change and what the gate compares follow from the declaration.
"""

from pathlib import Path
from typing import Any, Literal, get_args

from longtrail.agents.spec import agents_help
from longtrail.options.flag import Effect, Flag
from longtrail.records.trajectory import WebKind
from longtrail.tasks.cases import RELOCATED

FirstSubtask = Literal["agent", "reference"]
LiveCommits = Literal["hold", "allow"]
ObservationForm = Literal["axtree", "html", "text"]
DEFAULT_LENGTHS = f"0,{RELOCATED},25k,50k,75k,100k,125k,150k"
"""The paper's seven, and the control."""


FLAGS: tuple[Flag, ...] = (
    Flag("--model", help="model by litellm's name, e.g. gpt-4.1; may be repeated", repeated=True, field="contenders"),
    Flag("--agent", help=f"{agents_help()}; may be repeated", repeated=True, field="contenders"),
    Flag("--profile", help="settings of the web agent: default or pathways", default="default", field="contenders"),
    Flag(
        "--model-arg",
        help="argument of the model's calls, e.g. api_base=http://127.0.0.1:8000/v1",
        repeated=True,
        metavar="KEY=VALUE",
        effect="measured",
        field="model_args",
    ),
    Flag(
        "--agent-arg",
        help="option of the agent, e.g. decision=ESCALATE for constant",
        repeated=True,
        metavar="KEY=VALUE",
        field="agent_args",
    ),
    Flag(
        "--judge",
        help="a model that judges the claims of each decision beside the rules; no headline depends on it",
        default="",
        metavar="MODEL",
    ),
    Flag(
        "--judge-arg",
        help="argument of the judge's calls, e.g. api_base=http://127.0.0.1:8000/v1",
        repeated=True,
        metavar="KEY=VALUE",
        field="judge_args",
    ),
    Flag("--task", help="only tasks whose id matches", repeated=True, metavar="GLOB", field="tasks"),
    Flag(
        "--tasks",
        help="a folder of your own task files, played beside the shipped tasks (-m own: alone)",
        converts_to=Path,
        metavar="DIR",
        field="own_tasks",
    ),
    Flag(
        "--site",
        help="this site or app is at your own address, e.g. shopping_admin=http://host:7780/admin",
        repeated=True,
        metavar="NAME=ADDRESS",
        field="sites",
    ),
    Flag(
        "--lengths",
        help=f"context lengths in tokens (default {DEFAULT_LENGTHS})",
        default=DEFAULT_LENGTHS,
        field="conditions",
    ),
    Flag(
        "--repeats",
        help="how often every case is run (default 1)",
        converts_to=int,
        default=1,
        field="conditions",
        low=1,
        high=1000,
    ),
    Flag("--sample", help="a stratified, seeded subset of N whole tasks", converts_to=int, metavar="N", low=1),
    Flag(
        "--seed",
        help="seed of noise, samples and random agents (default 0)",
        converts_to=int,
        default=0,
        effect="measured",
    ),
    Flag(
        "--first-subtask",
        help="who does the first part: the agent (as in the paper), or the reference, which isolates retrieval",
        choices=get_args(FirstSubtask),
        default="agent",
        effect="measured",
    ),
    Flag(
        "--stop-on-success",
        help="long context: end each part at its last key step, as the paper did (default: the agent ends it itself)",
        switch=True,
        effect="measured",
    ),
    Flag(
        "--noise-pool",
        help="another pool of noise trajectories",
        converts_to=Path,
        metavar="FILE",
        effect="measured",
        file=True,
    ),
    Flag(
        "--web",
        help="embedded (default), or live: long_context tasks on the real sites",
        choices=get_args(WebKind),
        default="embedded",
        effect="measured",
    ),
    Flag(
        "--live-commits",
        help="live: what would order, book, register, send or publish something is held (default), or sent",
        choices=get_args(LiveCommits),
        default="hold",
        effect="measured",
    ),
    Flag(
        "--live-host",
        help="live: this name leads to your own staging site on this machine, e.g. shop.example.com="
        "http://127.0.0.1:8000",
        repeated=True,
        metavar="NAME=ADDRESS",
        effect="measured",
        field="live_hosts",
    ),
    Flag(
        "--observation",
        help="form of the observation",
        choices=get_args(ObservationForm),
        default="axtree",
        effect="measured",
    ),
    Flag(
        "--observation-tokens",
        help="budget of one observation (default 8000)",
        converts_to=int,
        default=8000,
        effect="measured",
        low=200,
        high=1_000_000,
    ),
    Flag("--no-shots", help="take no screenshots for the traces", switch=True, effect="free", field="shots"),
    Flag(
        "--appeal-turns",
        help="turns of an appeal, 1 to 5 (default 1); tasks have up to 3",
        converts_to=int,
        default=1,
        effect="measured",
        low=1,
        high=5,
    ),
    Flag(
        "--disruptions",
        help=(
            "cookie banners, interstitials, rotating ads, slow pages and changed layouts on the consumer sites "
            "(default: none)"
        ),
        converts_to=int,
        metavar="SEED",
        effect="measured",
    ),
    Flag(
        "--baseline",
        help=(
            "gate: compare with a finished run, or a file that `longtrail baseline` made; the gate alone "
            "decides the exit code (0 pass, 1 regression, 6 inconclusive, 7 invalid)"
        ),
        converts_to=Path,
        metavar="RUN|FILE",
    ),
    Flag(
        "--baseline-contender",
        help="gate: whom to compare with (default: this run's own contender, of which only the code may differ)",
        default="",
        metavar="LABEL",
    ),
    Flag(
        "--baseline-subset", help="gate: the baseline may hold cases that this run does not", switch=True, field="rules"
    ),
    Flag("--alpha", help="gate: chance of a false alarm (default 0.05)", converts_to=float, field="rules"),
    Flag("--margin", help="gate: largest drop that is let pass (default 0.05)", converts_to=float, field="rules"),
    Flag("--inconclusive", help="gate: exit 0 or 1 instead of 6", choices=("pass", "fail"), field="rules"),
    Flag("--reports", help="where reports go (default: reports/)", converts_to=Path, metavar="DIR", effect="free"),
    Flag(
        "--run",
        help="name of this run's folder (default: time and contender)",
        default="",
        metavar="NAME",
        effect="free",
    ),
    Flag(
        "--record",
        help="write all model calls down as JSON files",
        converts_to=Path,
        metavar="DIR",
        effect="free",
        field="cassette",
    ),
    Flag(
        "--replay",
        help="take model calls from there; call nothing",
        converts_to=Path,
        metavar="DIR",
        effect="free",
        field="cassette",
    ),
    Flag(
        "--estimate",
        help="print what the run would take (tokens, USD, hours), and run nothing",
        switch=True,
        effect="free",
    ),
    Flag(
        "--resume",
        help="go on with this run: what is missing or invalid is played",
        default="",
        metavar="RUN",
        effect="free",
    ),
    Flag(
        "--rpm",
        help="requests per minute to models, all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
    ),
    Flag(
        "--tpm",
        help="tokens per minute, all workers together",
        converts_to=int,
        metavar="N",
        effect="free",
        field="limits",
    ),
    Flag(
        "--budget",
        help="what the run's model calls may cost at most",
        converts_to=float,
        metavar="USD",
        effect="free",
        field="limits",
    ),
)
ADDED: dict[str, dict[str, Any]] = {flag.name: flag.settings for flag in FLAGS}
"""Each flag as argparse wants it."""


def initial(field: str) -> Any:
    """The default of a field of `Options` that one flag fills."""
    return _by_field()[field][0].initial


def fields(*effects: Effect) -> dict[str, str]:
    """Fields of `Options` that flags of these effects fill, in order, and the first flag of each."""
    return {field: flags[0].name for field, flags in _by_field().items() if flags[0].effect in effects}


def values(given: Any) -> dict[str, Any]:
    """What the command line says, by the fields that one flag alone fills. Raises UsageError for what can't work."""
    for flag in FLAGS:
        flag.check(getattr(given, flag.destination))
    return {
        field: flags[0].value(getattr(given, flags[0].destination))
        for field, flags in _by_field().items()
        if len(flags) == 1
    }


def _by_field() -> dict[str, list[Flag]]:
    found: dict[str, list[Flag]] = {}
    for flag in FLAGS:
        found.setdefault(flag.option, []).append(flag)
    return found
