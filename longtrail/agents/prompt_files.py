"""The prompts that agents send to models: Jinja files in `prompts/`, where a missing variable is an error, and the
profiles that choose among them."""

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.agents.spec import PROMPTS
from longtrail.errors import UsageError
from longtrail.records.action_forms import EXPLANATIONS, FORMS, IN_FULL_SET, explanations
from longtrail.records.record import Record
from longtrail.tasks.briefing import prompt_templates
from longtrail.yaml_file import read

if TYPE_CHECKING:
    import jinja2

FOLDER = Path(__file__).with_name("prompts")


class Profile(Record):
    """How a web agent is prompted."""

    name: str
    system: str = "system"
    """Prompt file of the rules."""
    turn: str = "now"
    """Prompt file of a turn."""
    thoughts: bool = True
    """Whether earlier thoughts are part of the history, or only the actions."""
    reflect: bool = True
    """Whether a separate call reflects on every action's outcome."""
    element_states: bool = False
    """Whether the page's text says for each element whether it is clickable and visible."""
    max_tokens: int = 1024
    """Maximum tokens of a plan's answer."""
    prompt_tokens: int | None = None
    """Maximum tokens of a prompt, not counting earlier tasks; a longer page is cut, and the cut is marked."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Its prompt files."""
        return (self.system, "actions", "past", self.turn, "repair", *(("reflect",) if self.reflect else ()))


PROFILES = {profile.name: profile for profile in read(tuple[Profile, ...], FOLDER / "profiles.yaml")}


def find_profile(name: str) -> Profile:
    """A profile by its name. Raises UsageError."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; known are {', '.join(PROFILES)}")
    return PROFILES[name]


@cache
def _templates() -> "jinja2.Environment":
    templates = prompt_templates(FOLDER, keep_trailing_newline=True)
    templates.globals["explanations"] = explanations
    return templates


def render(name: str, **values: object) -> str:
    """One prompt file with its variables filled in. Values are inserted as they are, never rendered again."""
    return _templates().get_template(f"{name}.j2").render(**values)


def fingerprint(agent: str, profile: str = "default") -> str:
    """Checksum (sha256, 12 hex digits) of a built-in agent's prompt files under a profile; empty if it has none."""
    if agent not in PROMPTS:
        return ""
    digest = hashlib.sha256(repr((FORMS, EXPLANATIONS, IN_FULL_SET)).encode())
    for name in (*find_profile(profile).prompts, *PROMPTS[agent]):
        text = (FOLDER / f"{name}.j2").read_bytes()
        digest.update(f"{name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:12]
