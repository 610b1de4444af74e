"""Examples of fleets: the Slurm script plays an array and joins it; the others are well-formed and use real options."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import subcommands
from longtrail.options.flag_values import ADDED
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment

FLEET = ROOT / "examples" / "fleet"
FILES = sorted(
    path.relative_to(FLEET).as_posix() for path in FLEET.rglob("*") if path.suffix in (".yml", ".yaml", ".sh")
)
TASKS = ("-m", "raw and not appeal", "--task", "pw-025", "--task", "pw-055", "--no-shots")


@pytest.mark.parametrize("name", FILES)
def test_examples_are_well_formed_and_use_options_that_there_are(name: str) -> None:
    text = (FLEET / name).read_text("utf-8")
    if not name.endswith(".sh"):
        assert yaml.safe_load(text)
    commands = re.sub(r"\\\n\s*", " ", text).splitlines()
    used = {
        option
        for line in commands
        if re.search(r"pytest (--pyargs|\"\$)", line)
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line)
    }
    assert "--shard" in text
    assert used - {"--pyargs"} <= set(ADDED)
    assert set(re.findall(r"longtrail (merge|baseline|report)\b", text)) <= set(subcommands())


def scripts(node: object) -> list[str]:
    """All shell scripts in an example's YAML."""
    if isinstance(node, list):
        return [script for each in node for script in scripts(each)]
    if not isinstance(node, dict):
        return []
    found = []
    for key, value in node.items():
        if key in ("run", "script", "before_script") or (key == "args" and "command" in node):
            found += [value] if isinstance(value, str) else value
        else:
            found += scripts(value)
    return [str(script) for script in found]


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith(".sh")])
def test_a_shell_reads_every_script(name: str) -> None:
    found = scripts(yaml.safe_load((FLEET / name).read_text("utf-8")))
    assert any("--shard" in script for script in found)
    for script in found:
        plain = re.sub(r"\$\{\{.*?\}\}", "1", script)  # GitHub replaces it
        done = subprocess.run(["bash", "-n", "-c", plain], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), script


@pytest.mark.thorough
def test_pods_of_the_job_play_go_on_and_are_joined(tmp_path: Path) -> None:
    """The script of the Kubernetes Job, with two tasks instead of all; the first pod is started twice."""
    (script,) = scripts(yaml.safe_load((FLEET / "kubernetes" / "job.yaml").read_text("utf-8")))
    tasks = " ".join(f"'{word}'" for word in TASKS)
    script = script.replace("-m long_context --model gpt-4.1 -n 4", tasks)
    script = script.replace("pytest --pyargs longtrail.benchmark_tests", f"{sys.executable} -m pytest benchmark_tests")
    store = f"file://{tmp_path / 'store'}"
    for index in ("0", "0", "1"):
        env = environment(JOB_COMPLETION_INDEX=index, SHARDS="2", REPORTS=store)
        shutil.rmtree(pod := tmp_path / "pod", ignore_errors=True)
        for part in ("fixtures", "benchmark_tests"):
            shutil.copytree(ROOT / part, pod / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "conftest.py", pod)
        (pod / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:playwright\n")
        done = subprocess.run(["bash", "-c", script], cwd=pod, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    merge = [sys.executable, "-m", "longtrail", "merge", "night-*of2", f"--reports={store}"]
    done = subprocess.run(merge, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    run = Run.open(tmp_path / "store" / "runs" / "night")
    assert [result.case.id for result in run.results()] == ["pw-025-raw-r0", "pw-055-raw-r0"]
    assert check_run(run).problems() == ()


@pytest.mark.thorough
def test_a_slurm_array_is_played_and_joined(tmp_path: Path) -> None:
    def task(*args: str, **slurm: str) -> None:
        env = environment(
            PYTHON=sys.executable, TESTS="benchmark_tests", REPORTS=str(tmp_path), SLURM_CPUS_PER_TASK="0", **slurm
        )
        done = subprocess.run(
            [str(FLEET / "slurm-array.sh"), *args], cwd=ROOT, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

    for number in ("1", "2"):
        task(*TASKS, SLURM_ARRAY_TASK_ID=number, SLURM_ARRAY_TASK_COUNT="2")
    task("join")
    run = Run.open(tmp_path / "runs" / "night")
    assert [result.case.id for result in run.results()] == ["pw-025-raw-r0", "pw-055-raw-r0"]
    assert check_run(run).problems() == ()
