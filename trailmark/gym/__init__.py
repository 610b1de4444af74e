"""Gymnasium environments of the embedded tasks, with BrowserGym's observations and actions (extra `gym`).

    import gymnasium, trailmark.gym
    env = gymnasium.make("trailmark/ikea_favorites", noise_tokens=25_000)
    obs, info = env.reset()
    obs, reward, terminated, truncated, info = env.step('goto("https://www.ikea.com/us/en/")')

Every task is there twice: as `trailmark/ID`, and as `browsergym/trailmark.ID`, where AgentLab looks for it.
"""

from trailmark.errors import UsageError

try:
    import gymnasium
except ImportError as error:
    raise UsageError('trailmark.gym needs Gymnasium: pip install "trailmark[gym]"') from error

from trailmark.spec.load import load_tasks

TASKS = load_tasks()
ENTRY = "trailmark.gym.env:TaskEnv"


def register() -> tuple[str, ...]:
    """Make the environments known to Gymnasium; their names. May be called again."""
    names = []
    for task in TASKS:
        for name in (f"trailmark/{task}", f"browsergym/trailmark.{task}"):
            names.append(name)
            if name not in gymnasium.registry:
                gymnasium.register(name, entry_point=ENTRY, kwargs={"task": task}, nondeterministic=False)
    return tuple(names)


ENVIRONMENTS = register()
"""Names of all environments."""
