"""Flags that Longtrail adds to pytest. Each is declared once: name, form, default, check, effect, help.

pytest loads this module at every start, in every repository: it imports nothing but the form of a flag
(and groups of flags, which stand in modules of their own).

To add one, declare it here and add its field to `Options` (`run_options`). The declaration determines the help text,
the check, what a resumed run may change and what the gate compares.
"""

from pathlib import Path
from typing import Literal, get_args

from longtrail.options.flag import Flag, folder_or_address
from longtrail.options.flag_groups import ENGINE_FLAGS, GATE_FLAGS, HISTORY_FLAGS, LIMIT_FLAGS, OWN_FLAGS
from longtrail.records.run_kinds import WebKind

FirstSubtask = Literal["agent", "reference"]
ActionChoice = Literal["default", "paper", "full"]
LiveCommits = Literal["hold", "allow"]
ObservationForm = Literal["axtree", "html", "text"]
FLAGS: tuple[Flag, ...] = (
    Flag(
        "--model",
        help="model, as litellm names it, e.g. gpt-4.1; may be repeated",
        repeated=True,
        field="contenders",
        listed_short=True,
    ),
    Flag("--agent", help="{agents}; may be repeated", repeated=True, field="contenders", listed_short=True),
    Flag(
        "--profile",
        help="prompts of the built-in web agents: default or pathways",
        default="default",
        field="contenders",
    ),
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
        help="let this model judge the rubrics of own tasks",
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
    Flag(
        "--task",
        help="run only tasks whose id matches; may be repeated",
        repeated=True,
        metavar="GLOB",
        field="tasks",
        listed_short=True,
    ),
    *HISTORY_FLAGS,
    *OWN_FLAGS,
    Flag(
        "--repeats",
        help="how often to run each case (default 1)",
        converts_to=int,
        default=1,
        field="conditions",
        low=1,
        high=1000,
    ),
    Flag(
        "--twins",
        help="also play the counterfactual twin of each decision task: for twin_proven, twin_decision",
        switch=True,
    ),
    Flag("--sample", help="run a stratified random subset of N tasks, by --seed", converts_to=int, metavar="N", low=1),
    Flag(
        "--seed",
        help="seed for noise, samples and random agents (default 0)",
        converts_to=int,
        default=0,
        effect="measured",
    ),
    Flag(
        "--shard",
        help="play shard K of N of the plan; `longtrail merge` joins the shards",
        default="",
        metavar="K/N",
    ),
    Flag(
        "--balance",
        help="with --shard: a finished run (or its results.jsonl); its recorded times make the shards equally long",
        converts_to=Path,
        metavar="RUN",
    ),
    Flag(
        "--first-subtask",
        help="who plays the first part: the agent (default) or the reference solution, to test retrieval alone",
        choices=get_args(FirstSubtask),
        default="agent",
        effect="measured",
    ),
    Flag(
        "--stop-on-success",
        help="long context: end each part at its last key step, as in the paper (default: the agent ends it)",
        switch=True,
        effect="measured",
    ),
    Flag(
        "--noise-pool",
        help="file with noise trajectories to use instead of the built-in pool",
        converts_to=Path,
        metavar="FILE",
        effect="measured",
        file=True,
    ),
    Flag(
        "--web",
        help="embedded sites (default), or live: long_context tasks on the real sites",
        choices=get_args(WebKind),
        default="embedded",
        effect="measured",
    ),
    Flag(
        "--live-commits",
        help="live: block (hold, default) or send (allow) requests with real-world effects, e.g. orders",
        choices=get_args(LiveCommits),
        default="hold",
        effect="measured",
    ),
    Flag(
        "--actions",
        help="what agents may do: the paper's seven actions, or full: also keys, hovering, tabs, dialogs, files ... "
        "(default: paper; full on own apps and --web live)",
        choices=get_args(ActionChoice),
        default="default",
        effect="measured",
    ),
    Flag(
        "--observation",
        help="how pages are shown to the agent: accessibility tree (default), HTML or text",
        choices=get_args(ObservationForm),
        default="axtree",
        effect="measured",
    ),
    Flag(
        "--observation-tokens",
        help="maximum tokens of one observation (default 8000)",
        converts_to=int,
        default=8000,
        effect="measured",
        low=200,
        high=1_000_000,
    ),
    Flag("--no-shots", help="don't take screenshots for the traces", switch=True, effect="free", field="shots"),
    Flag(
        "--appeal-turns",
        help="maximum number of appeal messages, 1 to 5 (default 1); in the hard tier it is always 5",
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
        "--variant",
        help="the tasks with other people, numbers, prices and places, made from this seed; from 100000 on "
        "for training (default: as shipped)",
        converts_to=int,
        metavar="SEED",
        effect="measured",
        low=1,
        high=999_999,
    ),
    *GATE_FLAGS,
    Flag(
        "--reports",
        help="folder for reports (default: reports/), or an address for a copy of the run, such as s3://bucket/lab",
        converts_to=folder_or_address,
        metavar="DIR|ADDRESS",
        effect="free",
    ),
    Flag(
        "--summary-md",
        help="write the summary to this file as Markdown",
        converts_to=Path,
        metavar="FILE",
        effect="free",
    ),
    Flag(
        "--run",
        help="name of this run's folder (default: time and contender)",
        default="",
        metavar="NAME",
        effect="free",
    ),
    Flag(
        "--tag",
        help="record this about the run, e.g. prompt=v3; its page shows it; may be repeated",
        repeated=True,
        metavar="KEY=VALUE",
        effect="free",
        field="tags",
    ),
    Flag("--note", help="a note about the run, for its page", default="", metavar="TEXT", effect="free"),
    Flag(
        "--record",
        help="save every model call as a JSON file in this folder",
        converts_to=Path,
        metavar="DIR",
        effect="free",
        field="cassette",
    ),
    Flag(
        "--replay",
        help="replay saved model calls from this folder; call no model",
        converts_to=Path,
        metavar="DIR",
        effect="free",
        field="cassette",
    ),
    Flag(
        "--estimate",
        help="print the expected tokens, cost (USD) and hours; run nothing",
        switch=True,
        effect="free",
    ),
    Flag(
        "--resume",
        help="continue this run: play only missing and invalid cases",
        default="",
        metavar="RUN",
        effect="free",
    ),
    *ENGINE_FLAGS,
    *LIMIT_FLAGS,
)
