"""Prompt files: the prompts that agents send to models. Jinja files in `prompts/`; a missing variable is an error."""

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.agents.profile import profile as profile_of
from longtrail.agents.spec import AgentSpec
from longtrail.records.action_forms import FORMS
from longtrail.tasks.briefing import prompt_templates

if TYPE_CHECKING:
    import jinja2

FOLDER = Path(__file__).with_name("prompts")


@cache
def _environment() -> "jinja2.Environment":
    environment = prompt_templates(FOLDER, keep_trailing_newline=True)
    environment.globals["forms"] = FORMS
    return environment


def render(name: str, **values: object) -> str:
    """One prompt file with its variables filled in. Values are inserted as they are, never rendered again."""
    return _environment().get_template(f"{name}.j2").render(**values)


def fingerprint(agent: str, profile: str = "default") -> str:
    """Checksum (sha256, 12 hex digits) of a built-in agent's prompt files under a profile; empty if it has none."""
    files = AgentSpec.parse(agent).prompts
    if files is None:
        return ""
    digest = hashlib.sha256()
    for name in (*profile_of(profile).prompts, *files):
        text = (FOLDER / f"{name}.j2").read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:12]
