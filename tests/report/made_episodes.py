"""Made episodes as records (`episodes/*.yaml`), for the tests of traces and pages."""

from pathlib import Path
from typing import Any

from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, Provenance, Trajectory
from longtrail.yaml_file import read_yaml

PROVENANCE = Provenance(
    longtrail="0.1.0", data="5f1c0de7a2b4", task="9c41aa07e3d2", browser="Chromium 156.0.7000.0", seed=7, step_limit=10
)
GPT = Contender(agent="webagent", model="openai/gpt-4.1", vision=True, prompts="77b1c90d2e4f")
TOKENS = {"calls": 2, "cached_tokens": 148_000, "completion_tokens": 214, "usd": 0.0931}


def lost_episode() -> tuple[Trajectory, Result]:
    """A long-context task: the agent does not come back to it."""
    return _episode("lost")


def shop_episode() -> tuple[Trajectory, Result]:
    """A decision of the shop: investigated, decided and carried out."""
    return _episode("shop")


def _episode(name: str) -> tuple[Trajectory, Result]:
    played = read_yaml(Path(__file__).parent / "episodes" / f"{name}.yaml")
    scored = played.pop("result")
    both = {"case": played.pop("case"), "contender": GPT, "provenance": PROVENANCE, "seconds": played.pop("seconds")}
    steps = [_step(number, **step) for number, step in enumerate(played.pop("steps"), 1)]
    trajectory = Trajectory.model_validate({**both, **played, "steps": steps})
    usage = trajectory.usage
    return trajectory, Result.model_validate({**both, **scored, "steps": len(steps), "usage": usage})


def _step(place: int, *, url: str, title: str, text: str = "", after: str = "", **step: Any) -> dict[str, Any]:
    """One step with realistic tokens, cost and times. `after`: the page that it led to."""
    number = step.pop("number", place)
    observation = {
        "url": url,
        "title": title,
        "text": text or f"[1] heading {title!r}\n[2] link 'Home'\n[3] searchbox 'Search'",
        "tokens": 820 + 37 * number,
        "screenshot": step.pop("screenshot", None),
        "text_hash": f"{number:016x}",
    }
    error = step.pop("error", "")
    outcome = {"ok": not error, "error": error, "url": after or url, "navigations": [after] if after else []}
    outcome |= {name: step.pop(name) for name in ("target", "violations") if name in step}
    document = {"method": "GET", "url": after, "status": 200, "dest": "document", "mode": "navigate"}
    return {
        "number": number,
        "phase": "main",
        "observation": observation,
        "outcome": outcome,
        "requests": [document] if after else [],
        "usage": {**TOKENS, "prompt_tokens": 152_400 + 900 * number},
        "timing": {"model": 4.8, "browser": 0.21, "harness": 0.004},
        **step,
    }
