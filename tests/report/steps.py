"""Steps as records, for the episodes that the tests of traces and pages use."""

from longtrail.records.action import Action
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Contender, Outcome, Phase, Provenance, Request, Step, Target, Timing, Usage

PROVENANCE = Provenance(
    longtrail="0.1.0", data="5f1c0de7a2b4", task="9c41aa07e3d2", browser="Chromium 156.0.7000.0", seed=7, step_limit=10
)
GPT = Contender(agent="webagent", model="openai/gpt-4.1", vision=True, prompts="77b1c90d2e4f")


def step(
    number: int,
    phase: Phase,
    url: str,
    title: str,
    thought: str,
    action: Action | None,
    *,
    text: str = "",
    role: str = "",
    name: str = "",
    after: str = "",
    error: str = "",
    reflection: str = "",
    screenshot: str | None = None,
    raw: str = "",
    violations: tuple[str, ...] = (),
) -> Step:
    """One step with realistic tokens, cost and times."""
    here = after or url
    return Step(
        number=number,
        phase=phase,
        observation=Observation(
            url=url,
            title=title,
            text=text or f"[1] heading {title!r}\n[2] link 'Home'\n[3] searchbox 'Search'",
            tokens=820 + 37 * number,
            screenshot=screenshot,
            text_hash=f"{number:016x}",
        ),
        thought=thought,
        action=action,
        raw=raw,
        outcome=Outcome(
            ok=not error,
            error=error,
            target=Target(role=role, name=name) if role else None,
            url=here,
            navigations=(here,) if here != url else (),
            violations=violations,
        ),
        reflection=reflection,
        requests=(Request(method="GET", url=here, status=200, dest="document", mode="navigate"),)
        if here != url
        else (),
        usage=Usage(
            calls=2, prompt_tokens=152_400 + 900 * number, cached_tokens=148_000, completion_tokens=214, usd=0.0931
        ),
        timing=Timing(model=4.8, browser=0.21, harness=0.004),
    )
