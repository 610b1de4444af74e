"""Flags: what Longtrail adds to pytest's command line, as argparse wants it."""

from pathlib import Path
from typing import Any

from longtrail.agents.spec import agents_help
from longtrail.tasks.cases import RELOCATED

DEFAULT_LENGTHS = f"0,{RELOCATED},25k,50k,75k,100k,125k,150k"
"""The paper's seven, and the control."""
ADDED: dict[str, dict[str, Any]] = {
    "--model": {"action": "append", "default": [], "help": "model by litellm's name, e.g. gpt-4.1; may be repeated"},
    "--agent": {
        "default": "",
        "help": agents_help(),
    },
    "--profile": {"default": "default", "help": "settings of the web agent: default or pathways"},
    "--model-arg": {
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
        "help": "argument of the model's calls, e.g. api_base=http://127.0.0.1:8000/v1",
    },
    "--agent-arg": {
        "action": "append",
        "default": [],
        "metavar": "KEY=VALUE",
        "help": "option of the agent, e.g. decision=ESCALATE for constant",
    },
    "--task": {"action": "append", "default": [], "metavar": "GLOB", "help": "only tasks whose id matches"},
    "--lengths": {"default": DEFAULT_LENGTHS, "help": f"context lengths in tokens (default {DEFAULT_LENGTHS})"},
    "--repeats": {"type": int, "default": 1, "help": "how often every case is run (default 1)"},
    "--sample": {"type": int, "default": None, "metavar": "N", "help": "a stratified, seeded subset of N cases"},
    "--seed": {"type": int, "default": 0, "help": "seed of noise, samples and random agents (default 0)"},
    "--first-subtask": {
        "choices": ("agent", "reference"),
        "default": "agent",
        "help": "who does the first part: the agent (as in the paper), or the reference, which isolates retrieval",
    },
    "--no-stop-on-success": {
        "action": "store_true",
        "help": "long context: leave the end to the agent even when all key steps are hit",
    },
    "--noise-pool": {"type": Path, "default": None, "metavar": "FILE", "help": "another pool of noise trajectories"},
    "--web": {
        "choices": ("embedded", "live"),
        "default": "embedded",
        "help": "embedded (default), or live: long_context tasks on the real sites",
    },
    "--live-commits": {
        "choices": ("hold", "allow"),
        "default": "hold",
        "help": "live: what would order, book, register, send or publish something is held (default), or sent",
    },
    "--live-host": {
        "action": "append",
        "default": [],
        "metavar": "NAME=ADDRESS",
        "help": "live: this name leads to your own staging site on this machine, e.g. shop.example.com=http://127.0.0.1:8000",
    },
    "--observation": {"choices": ("axtree", "html", "text"), "default": "axtree", "help": "form of the observation"},
    "--observation-tokens": {"type": int, "default": 8000, "help": "budget of one observation (default 8000)"},
    "--no-shots": {"action": "store_true", "help": "take no screenshots for the traces"},
    "--appeal-turns": {"type": int, "default": 1, "help": "turns of an appeal, 1 to 5 (default 1)"},
    "--disruptions": {
        "type": int,
        "default": None,
        "metavar": "SEED",
        "help": "cookie banners, interstitials, rotating ads, slow pages and changed layouts on the consumer sites "
        "(default: none)",
    },
    "--baseline": {
        "type": Path,
        "default": None,
        "metavar": "RUN|FILE",
        "help": "gate: compare with a finished run, or a file that `longtrail baseline` made; the gate alone "
        "decides the exit code (0 pass, 1 regression, 6 inconclusive, 7 invalid)",
    },
    "--baseline-contender": {
        "default": "",
        "metavar": "LABEL",
        "help": "gate: whom to compare with (default: this run's own contender, of which only the code may differ)",
    },
    "--baseline-subset": {"action": "store_true", "help": "gate: the baseline may hold cases that this run does not"},
    "--alpha": {"type": float, "default": None, "help": "gate: chance of a false alarm (default 0.05)"},
    "--margin": {"type": float, "default": None, "help": "gate: largest drop that is let pass (default 0.05)"},
    "--inconclusive": {"choices": ("pass", "fail"), "default": None, "help": "gate: exit 0 or 1 instead of 6"},
    "--reports": {"type": Path, "default": None, "metavar": "DIR", "help": "where reports go (default: reports/)"},
    "--run": {"default": "", "metavar": "NAME", "help": "name of this run's folder (default: time and contender)"},
    "--record": {"type": Path, "default": None, "metavar": "DIR", "help": "write all model calls down as JSON files"},
    "--replay": {
        "type": Path,
        "default": None,
        "metavar": "DIR",
        "help": "take model calls from there; call nothing",
    },
    "--estimate": {
        "action": "store_true",
        "help": "print what the run would take (tokens, USD, hours), and run nothing",
    },
    "--resume": {"default": "", "metavar": "RUN", "help": "go on with this run: what is missing or invalid is played"},
    "--rpm": {
        "type": int,
        "default": None,
        "metavar": "N",
        "help": "requests per minute to models, all workers together",
    },
    "--tpm": {"type": int, "default": None, "metavar": "N", "help": "tokens per minute, all workers together"},
    "--budget": {
        "type": float,
        "default": None,
        "metavar": "USD",
        "help": "what the run's model calls may cost at most",
    },
}
