"""The cost of imports: seconds and memory of a process that lists cases, plays the oracle, or calls a model.

    python benchmarks/import_cost.py

Each line is the best of three separate processes.
"""

import json
import subprocess
import sys

PROCESSES = {
    "an empty process": "",
    "the plugin and its options": (
        "import longtrail.pytest_plugin.plugin, longtrail.options.run_options, longtrail.options.plan"
    ),
    "all tasks read (to list cases)": (
        "import longtrail.pytest_plugin.plugin, longtrail.options.run_options;"
        "from longtrail.tasks.loading import load_tasks; load_tasks()"
    ),
    "what an episode needs, without a model": (
        "import longtrail.episode.runner, longtrail.pytest_plugin.evaluate;"
        "from longtrail.web.registry import all_sites; all_sites()"
    ),
    "the model client, before its first call": "import longtrail.llm.litellm_client as c; c.LiteLLMClient('gpt-4.1')",
    "litellm, as the first call imports it": "import longtrail.llm.litellm_client as c; c.import_litellm()",
    "litellm, imported plainly": "import litellm",
}
MEASURE = """
import json, resource, sys, time
start = time.perf_counter()
{code}
seconds = time.perf_counter() - start
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 ** 2)
print(json.dumps([seconds, memory, len(sys.modules), "litellm" in sys.modules]))
"""


def measure(code: str) -> tuple[float, float, int, bool]:
    """Seconds, MB, modules, and whether litellm is among them."""
    done = subprocess.run([sys.executable, "-c", MEASURE.format(code=code)], capture_output=True, text=True, check=True)
    seconds, memory, modules, litellm = json.loads(done.stdout.splitlines()[-1])
    return seconds, memory, modules, litellm


def main() -> None:
    print(f"{'process':42} {'seconds':>8} {'MB':>6} {'modules':>8}  litellm")
    for name, code in PROCESSES.items():
        seconds, memory, modules, litellm = min(measure(code) for _ in range(3))
        print(f"{name:42} {seconds:8.2f} {memory:6.0f} {modules:8}  {'yes' if litellm else 'no'}")


if __name__ == "__main__":
    main()
