"""The cost of Longtrail in a pytest session that evaluates nothing: seconds of start-up, and imported modules.

    python -m benchmarks.guest_cost [--rounds 15]

In an empty repository with one test, `pytest -p no:longtrail...` (the plugin is blocked) and plain `pytest` run
alternately in separate processes; the difference of the medians, and that of the fastest, is what the plugin costs.
The same for pytest-playwright, which is installed with Longtrail.
The plugin's own work is also measured inside one process: loading the hook module, and every hook that a session
calls.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLUGIN = "longtrail.pytest_plugin.plugin"
INSIDE = """
import sys, time, pytest
spent = 0.0
class Watch:
    pass
import _pytest.config, _pytest.python, argparse, datetime
names = set(sys.modules)
start = time.perf_counter()
import longtrail.pytest_plugin.plugin as plugin
loading = time.perf_counter() - start
for name in [name for name in vars(plugin) if name.startswith("pytest_") and not hasattr(plugin, name + "_timed")]:
    hook = getattr(plugin, name)
    marks = getattr(hook, "pytest_impl", None)
    if marks and marks["wrapper"]:
        continue
    def timed(*args, hook=hook, **kwargs):
        global spent
        begin = time.perf_counter()
        try:
            return hook(*args, **kwargs)
        finally:
            spent += time.perf_counter() - begin
    import functools
    setattr(plugin, name, functools.wraps(hook)(timed))
code = pytest.main(["-q", "-p", "no:cacheprovider"])
ours = sorted(name for name in set(sys.modules) - names if name.partition(".")[0] == "longtrail")
print(f"RESULT {int(code)} {loading * 1000:.2f} {spent * 1000:.2f} {','.join(ours)}")
"""


def seconds(folder: Path, *args: str) -> float:
    """Of one session."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *args],
        cwd=folder,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        (folder / "test_one.py").write_text("def test_one():\n    pass\n", encoding="utf-8")
        seconds(folder)
        without, with_it, with_both = [], [], []
        for _ in range(rounds):
            without.append(seconds(folder, "-p", f"no:{PLUGIN}", "-p", "no:playwright"))
            with_it.append(seconds(folder, "-p", "no:playwright"))
            with_both.append(seconds(folder))
        inside = [
            subprocess.run([sys.executable, "-c", INSIDE], cwd=folder, capture_output=True, text=True, check=True)
            .stdout.rpartition("RESULT ")[2]
            .split()
            for _ in range(5)
        ]
    code, loading, hooks, modules = min(inside, key=lambda each: float(each[1]) + float(each[2]))
    print(f"session without the plugin   median {statistics.median(without):.3f} s, fastest {min(without):.3f} s")
    print(f"session with the plugin      median {statistics.median(with_it):.3f} s, fastest {min(with_it):.3f} s")
    print(f"difference of the fastest    {(min(with_it) - min(without)) * 1000:.1f} ms")
    print(f"pytest-playwright, besides   {(min(with_both) - min(with_it)) * 1000:.0f} ms")
    print(f"inside: loading {loading} ms, hooks {hooks} ms (exit code {code})")
    print(f"modules of Longtrail: {modules}")


if __name__ == "__main__":
    main()
