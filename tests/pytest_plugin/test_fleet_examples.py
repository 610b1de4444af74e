"""Examples of fleets: their scripts play and join on this machine; the files are well-formed and use real options."""

import re
import shutil
import subprocess
import sys
import time
from argparse import ArgumentParser
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import ARGUMENTS, add_arguments
from longtrail.llm.mock.server import MockServer
from longtrail.options.flags import ADDED
from longtrail.options.gate_rules import INCOMPLETE
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, machine, process

FLEET = ROOT / "examples" / "fleet"
JOB = FLEET / "kubernetes" / "job.yaml"
FILES = sorted(
    path.relative_to(FLEET).as_posix() for path in FLEET.rglob("*") if path.suffix in (".yml", ".yaml", ".sh")
)
TASKS = ("-m", "raw and not appeal", "--task", "pw-025", "--task", "pw-055", "--no-shots")


def commands(text: str) -> list[str]:
    """The lines that start pytest or `longtrail`, also in comments; continued lines are joined."""
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    lines = [part for line in lines for part in re.split(r"&&|\|\||;", line)]
    return [
        line for line in lines if re.search(r"\bpytest (--pyargs|\"\$)|\bplay --|\brun=\(|longtrail (?=[a-z]+ )", line)
    ]


def options(line: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", line))


@pytest.mark.parametrize("name", FILES)
def test_examples_are_well_formed_and_use_options_that_there_are(name: str) -> None:
    text = (FLEET / name).read_text("utf-8")
    if not name.endswith(".sh"):
        assert yaml.safe_load(text)
    found = set()
    for line in commands(text):
        if ours := re.search(r"longtrail (merge|baseline|report)\b", line):
            parser = ArgumentParser()
            add_arguments(parser, ARGUMENTS[ours[1]])
            assert options(line) <= set(re.findall(r"--[a-z-]+", parser.format_help())), line
        else:
            assert options(line) - {"--pyargs"} <= set(ADDED), line
        found |= options(line)
    assert {"--shard", "--run", "--resume"} <= found, "a part that is played again goes on"
    assert re.search(r"longtrail merge\b", text)


def test_options_of_every_command_are_checked() -> None:
    """Otherwise the test above checks nothing."""
    job = commands(JOB.read_text("utf-8"))
    told = sorted(option for line in job for option in options(line))
    assert told == ["--model", "--pyargs", "--reports", "--reports", "--resume", "--run", "--shard"]
    github = commands((FLEET / "github-matrix.yml").read_text("utf-8"))
    assert {"--baseline", "--out"} <= {option for line in github for option in options(line)}


def minutes(text: str) -> int:
    """`12h`, `11h30m` -> minutes. GitLab's runner ignores a script's limit that has a space."""
    assert re.fullmatch(r"(\d+h)?(\d+m)?", text), text
    return sum(int(number) * {"h": 60, "m": 1}[unit] for number, unit in re.findall(r"(\d+)([hm])", text))


def test_a_job_that_is_started_again_finds_its_part() -> None:
    """What a cache or a copy must have for this; the services themselves can't be tried here."""
    gitlab = yaml.safe_load((FLEET / "gitlab-parallel.yml").read_text("utf-8"))["play"]
    assert gitlab["cache"]["when"] == "always"
    assert {"$CI_PIPELINE_ID", "$CI_NODE_INDEX"} <= set(re.findall(r"\$\w+", gitlab["cache"]["key"]))
    assert minutes(gitlab["timeout"]) > minutes(gitlab["variables"]["RUNNER_SCRIPT_TIMEOUT"]) > 8 * 60
    assert gitlab["retry"]["exit_codes"] == [INCOMPLETE]
    github = yaml.safe_load((FLEET / "github-matrix.yml").read_text("utf-8"))["jobs"]["play"]
    steps = [str(step.get("uses", step.get("name"))).partition("@")[0] for step in github["steps"]]
    order = [steps.index(name) for name in ("actions/cache/restore", "Play", "actions/cache/save")]
    fetch, play, keep = (github["steps"][number] for number in order)
    assert order == sorted(order)
    assert keep["with"]["key"].startswith(fetch["with"]["restore-keys"])
    assert fetch["with"]["path"] == keep["with"]["path"] == "reports/runs/"
    assert keep["if"] == "always()"
    assert play["timeout-minutes"] < github["timeout-minutes"]
    job = yaml.safe_load(JOB.read_text("utf-8"))["spec"]
    assert "maxFailedIndexes" not in job, "it would end the other pods"
    assert job["podReplacementPolicy"] == "Failed", "otherwise two pods play one shard"
    assert job["podFailurePolicy"]["rules"] == [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget"}]}]
    (play,) = job["template"]["spec"]["containers"]
    assert {"name": "NAME", "value": "night"} in play["env"], "another evaluation needs another name"
    assert "night" not in play["args"][0]


def merged_parts(name: str, folder: Path, shards: str) -> list[list[str]]:
    """The runs that each `longtrail merge` of an example names, from this folder."""
    if name.endswith(".sh"):
        env = environment(PYTHON="echo", SHARDS=shards)
        lines = [f"{FLEET / name} join"]
    else:
        env = environment(SHARDS=shards)
        found = re.findall(r"longtrail merge (.*?)(?: #.*| &&.*)?$", (FLEET / name).read_text("utf-8"), re.MULTILINE)
        lines = [f"echo {words}" for words in found]
    told = [process("bash", "-c", line, cwd=folder, env=env).out for line in lines]
    return [[Path(word).name for word in words.split() if "night" in word] for words in told]


@pytest.mark.parametrize("name", FILES)
def test_only_parts_of_this_run_are_joined(name: str, tmp_path: Path) -> None:
    """Not those of a run whose name begins alike."""
    parts = yaml.safe_load((FLEET / name).read_text("utf-8")) if not name.endswith(".sh") else {}
    shards = {"gitlab-parallel.yml": "4", "github-matrix.yml": "4"}.get(name, "16")
    if name == "gitlab-parallel.yml":
        assert parts["play"]["parallel"] == int(shards)
    if name == "github-matrix.yml":
        assert parts["env"]["SHARDS"] == len(parts["jobs"]["play"]["strategy"]["matrix"]["shard"]) == int(shards)
    if name == "kubernetes/job.yaml":
        assert parts["spec"]["completions"] == int(shards)
    for run in ("night", "night-b"):
        for number in range(1, int(shards) + 1):
            (tmp_path / "reports" / "runs" / f"{run}-{number}of{shards}").mkdir(parents=True)
    found = merged_parts(name, tmp_path, shards)
    assert found
    assert all(each == [f"night-{number}of{shards}" for number in range(1, int(shards) + 1)] for each in found), found


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
        done = process("bash", "-n", "-c", plain)
        assert (done.code, done.err) == (0, ""), script


def with_tasks(script: str, *more: str) -> str:
    """The script with two tasks and these options instead of all tasks and a model."""
    words = " ".join(f"'{word}'" for word in (*TASKS, *more))
    script = re.sub(r"-m long_context --model gpt-4.1 -n \d", words, script)
    return script.replace("pytest --pyargs longtrail.benchmark_tests", f"{sys.executable} -m pytest benchmark_tests")


def ended(script: str, folder: Path, code: int = 0, **env: str) -> None:
    """Run a script to its end."""
    done = process("bash", "-eo", "pipefail", "-c", script, cwd=folder, env=environment(**env))
    assert done.code == code, done.said[-3000:]


def joined(folder: Path, pattern: str, reports: str) -> Run:
    """The merged run."""
    merge = f"{sys.executable} -m longtrail merge {pattern} --reports={reports}"
    ended(merge, folder)
    run = Run.open(Path(reports.removeprefix("file://")) / "runs" / "night")
    assert check_run(run).problems() == ()
    return run


@pytest.mark.thorough
def test_pods_of_the_job_play_go_on_and_are_joined(tmp_path: Path) -> None:
    """The script of the Kubernetes Job, with two tasks instead of all; the first pod is started twice."""
    (script,) = scripts(yaml.safe_load(JOB.read_text("utf-8")))
    store = f"file://{tmp_path / 'store'}"
    for index in ("0", "0", "1"):
        pod = machine(tmp_path / "pod")
        ended(with_tasks(script), pod, JOB_COMPLETION_INDEX=index, SHARDS="2", REPORTS=store, NAME="night")
    run = joined(tmp_path, "'night-*of2'", store)
    assert [result.case.id for result in run.results()] == ["pw-025-raw-r0", "pw-055-raw-r0"]


@pytest.mark.thorough
def test_a_pod_that_is_ended_sends_what_it_has(tmp_path: Path) -> None:
    """Kubernetes sends SIGTERM to the shell only. The next pod of the index plays the rest."""
    (script,) = scripts(yaml.safe_load(JOB.read_text("utf-8")))
    place = tmp_path / "store"
    env = {"JOB_COMPLETION_INDEX": "0", "SHARDS": "1", "REPORTS": f"file://{place}", "NAME": "night"}
    env |= {"OPENAI_API_KEY": "none"}
    with MockServer(latency=2.0) as server:
        model = ("--model", "openai/scripted-finisher", "--model-arg", f"api_base={server.url}")
        words = ["bash", "-c", with_tasks(script, *model)]
        pod = machine(tmp_path / "pod")
        with subprocess.Popen(words, cwd=pod, env=environment(**env), stdout=subprocess.DEVNULL) as first:
            deadline = time.monotonic() + 300
            while not list(place.glob("runs/night-1of1/episodes/*")) and time.monotonic() < deadline:
                assert first.poll() is None
                time.sleep(0.05)
            first.terminate()
            assert first.wait() == 143
        run = Run.open(place / "runs" / "night-1of1")
        assert len(run.results()) == 1, "the session ended as after Ctrl-C"
        assert len(run.missing()) == 1
        ended(with_tasks(script, *model), machine(tmp_path / "pod"), **env)
    assert run.missing() == ()
    assert all(len(files) == 1 for files in run.attempts().values())


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["github-matrix.yml", "gitlab-parallel.yml"])
def test_a_job_of_ci_is_started_again_and_goes_on(name: str, tmp_path: Path) -> None:
    """The first attempt of the first job has a full disk. A cache brings its part to the second attempt."""
    (script,) = [one for one in scripts(yaml.safe_load((FLEET / name).read_text("utf-8"))) if "--shard" in one]
    kept = tmp_path / "all" / "runs"
    for number, attempt in (("1", 1), ("1", 2), ("2", 1)):
        job = machine(tmp_path / "job")
        env = {"SHARD": number, "SHARDS": "2", "CI_NODE_INDEX": number, "CI_NODE_TOTAL": "2"}
        if number == "1" and attempt == 1:
            lost = {"PYTEST_ADDOPTS": "-p tests.pytest_plugin.full_disk", "PYTHONPATH": str(ROOT)}
            ended(with_tasks(script), job, INCOMPLETE, **env, **lost)
        else:
            if attempt == 2:
                shutil.copytree(kept, job / "reports" / "runs")
            ended(with_tasks(script), job, **env)
        shutil.copytree(job / "reports" / "runs", kept, dirs_exist_ok=True)
    run = joined(tmp_path, f"{kept}/night-*of2", str(tmp_path / "all"))
    assert [result.outcome for result in run.results()] == ["passed", "passed"]


def slurm(folder: Path, *args: str, **env: str) -> Done:
    """A task of an array, or `join`."""
    own = {"PYTHON": sys.executable, "TESTS": "benchmark_tests", "REPORTS": str(folder), "SLURM_CPUS_PER_TASK": "0"}
    return process(str(FLEET / "slurm-array.sh"), *args, env=environment(**own, **env))


@pytest.mark.thorough
def test_a_slurm_array_is_played_and_joined(tmp_path: Path) -> None:
    """The second task has a full disk, and is submitted again alone."""
    for number, count, code in (("1", "2", 0), ("2", "2", INCOMPLETE), ("2", "1", 0)):
        full = ("-p", "tests.pytest_plugin.full_disk") if code else ()
        array = {"SLURM_ARRAY_TASK_ID": number, "SLURM_ARRAY_TASK_COUNT": count}
        done = slurm(tmp_path, *TASKS, *full, SHARDS="2", **array)
        assert done.code == code, done.said[-3000:]
    (tmp_path / "runs" / "night-1of4").mkdir()
    done = slurm(tmp_path, "join", SHARDS="2")
    assert done.code == 0, done.said[-3000:]
    run = Run.open(tmp_path / "runs" / "night")
    assert [result.case.id for result in run.results()] == ["pw-025-raw-r0", "pw-055-raw-r0"]
    assert check_run(run).problems() == ()


def test_a_slurm_array_needs_the_number_of_all_shards(tmp_path: Path) -> None:
    """The size of an array that is submitted again is another one."""
    done = slurm(tmp_path, SLURM_ARRAY_TASK_ID="3", SLURM_ARRAY_TASK_COUNT="1")
    assert done.code != 0
    assert "SHARDS: is not set: the number of all shards" in done.err
