"""Profile: settings of the web agents. `--profile` selects one; each has its own prompt files."""

from longtrail.errors import UsageError
from longtrail.records.record import Record


class Profile(Record):
    """How a web agent is prompted."""

    name: str
    system: str = "system"
    """Prompt file of the rules."""
    now: str = "now"
    """Prompt file of a turn."""
    thoughts: bool = True
    """Whether earlier thoughts are part of the history, or only the actions."""
    reflect: bool = True
    """Whether a separate call reflects on every action's outcome."""
    tags: bool = False
    """Whether the page's text says for each element whether it is clickable and visible."""
    max_tokens: int = 1024
    """Maximum tokens of a plan's answer."""
    prompt_tokens: int | None = None
    """Maximum tokens of a prompt, not counting earlier tasks; a longer page is cut, and the cut is marked."""

    @property
    def prompts(self) -> tuple[str, ...]:
        """Its prompt files."""
        return (self.system, "actions", "past", self.now, "repair", *(("reflect",) if self.reflect else ()))


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(name="default"),
        Profile(
            name="pathways",
            system="pathways_system",
            now="pathways_now",
            thoughts=False,
            reflect=False,
            tags=True,
            prompt_tokens=40_000,
        ),
    )
}
"""`default` follows the WebAgent of the long-context paper (Appendix A.1); `pathways` the agent of PATHWAYS:
accessibility tree, focused element, error log, action history, marked screenshot where the model sees images, thinking,
an abstract and a concrete example, a word of caution; temperature 0, 1024 output tokens, a prompt budget."""


def profile(name: str) -> Profile:
    """A profile by its name. Raises UsageError."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; known are {', '.join(PROFILES)}")
    return PROFILES[name]
