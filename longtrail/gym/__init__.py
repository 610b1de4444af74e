"""Gymnasium environments of the embedded tasks, with BrowserGym's observations and actions (extra `gym`).

    import gymnasium, longtrail.gym
    env = gymnasium.make("longtrail/ikea_favorites", noise_tokens=25_000)
    obs, info = env.reset()
    obs, reward, terminated, truncated, info = env.step('goto("https://www.ikea.com/us/en/")')

Every task is registered twice: as `longtrail/ID`, and as `browsergym/longtrail.ID`, where AgentLab looks for it. A
process that has not imported this package finds a task under `longtrail.gym:longtrail/ID`.
"""

from longtrail.errors import UsageError

try:
    import gymnasium
except ImportError as error:
    raise UsageError('longtrail.gym needs Gymnasium: pip install "longtrail[gym]"') from error

from longtrail.tasks.loading import load_tasks

TASKS = load_tasks()
ENTRY = "longtrail.gym.env:TaskEnv"
VECTOR = {"vectorization_mode": "async", "vector_kwargs": {"shared_memory": False, "context": "spawn"}}
"""How `gymnasium.make_vec` makes several: each in a process and a browser of its own. The processes start afresh, as a
copy of this one would have threads that do not run. Observations are objects, which shared memory can't hold."""


def register() -> tuple[str, ...]:
    """Make the environments known to Gymnasium; their names. May be called again."""
    names = []
    for task in TASKS:
        for name in (f"longtrail/{task}", f"browsergym/longtrail.{task}"):
            names.append(name)
            if name not in gymnasium.registry:
                kwargs = {"task": task, **VECTOR}
                gymnasium.register(name, entry_point=ENTRY, kwargs=kwargs, nondeterministic=False)
    return tuple(names)


ENVIRONMENTS = register()
"""Names of all environments."""
