"""Examples of fleets: the Slurm script plays an array and joins it; the others are well-formed and use real options."""

import re
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
