"""What `-n auto` chooses: from cores and memory, also in containers, and from how long the model took before."""

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from longtrail.pytest_plugin.machine import cores, free_mb
from longtrail.pytest_plugin.model_speed import recorded_speed
from longtrail.pytest_plugin.worker_count import XDISTS, auto_workers, choose, filling

MODEL = "openai/gpt-4.1"
MB = 1024**2


def group(root: Path, **files: str) -> Path:
    """A control group's folder."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / name.replace("__", ".")).write_text(text + "\n")
    return root


def listed(tmp_path: Path, *lines: str) -> Path:
    own = tmp_path / "own"
    own.write_text("\n".join(lines) + "\n")
    return own


@pytest.mark.parametrize(
    ("quota", "expected"),
    [("100000 100000", 1.0), ("50000 100000", 0.5), ("max 100000", None), ("6400000 100000", None)],
)
def test_cores_of_a_container_of_version_2(quota: str, expected: float | None, tmp_path: Path) -> None:
    own, root = listed(tmp_path, "0::/"), group(tmp_path / "cgroup", cpu__max=quota)
    assert cores(root, own) == (cores(tmp_path / "none", own) if expected is None else expected)


@pytest.mark.parametrize("inside", [True, False], ids=["its own root", "the host's folders"])
def test_limits_of_a_container_of_version_1(inside: bool, tmp_path: Path) -> None:
    own = listed(tmp_path, "4:memory:/docker/a1", "2:cpu,cpuacct:/docker/a1", "0::/")
    below = "" if inside else "docker/a1"
    root = tmp_path / "cgroup"
    group(root / "cpu,cpuacct" / below, cpu__cfs_quota_us="50000", cpu__cfs_period_us="100000")
    stat = f"cache 5\ntotal_inactive_file {30 * MB}"
    memory = {"memory__limit_in_bytes": str(200 * MB), "memory__usage_in_bytes": str(150 * MB)}
    group(root / "memory" / below, **memory, memory__stat=stat)
    assert cores(root, own) == 0.5
    assert free_mb(root, own) == 80


def test_the_smallest_limit_above_a_group_holds(tmp_path: Path) -> None:
    own, root = listed(tmp_path, "0::/pod/one"), tmp_path / "cgroup"
    group(root / "pod" / "one", memory__max="max", memory__current=str(10 * MB), cpu__max="max 100000")
    stat = f"inactive_file {20 * MB}"
    group(root / "pod", memory__max=str(100 * MB), memory__current=str(60 * MB), memory__stat=stat)
    assert free_mb(root, own) == 60


def test_without_limits_the_machines_memory_counts(tmp_path: Path) -> None:
    own = listed(tmp_path, "4:memory:/", "0::/")
    unlimited = group(
        tmp_path / "cgroup" / "memory", memory__limit_in_bytes=str(2**63 - 4096), memory__usage_in_bytes="0"
    )
    assert free_mb(unlimited.parent, own) == pytest.approx(psutil.virtual_memory().available / MB, rel=0.2)


@pytest.mark.parametrize(
    ("cores", "free_mb", "most", "fixed", "expected"),
    [
        (2, 24_000, 8, False, (2, 8)),
        (16, 64_000, 8, False, (16, 8)),
        (2, 2_000, 8, False, (2, 3)),
        (8, 4_000, 8, False, (5, 1)),
        (8, 4_000, 8, True, (3, 8)),
        (4, 200, 8, False, (1, 1)),
        (4, 16_000, 1, False, (4, 1)),
    ],
)
def test_auto_takes_all_cores_and_what_the_memory_holds(
    cores: int, free_mb: float, most: int, fixed: bool, expected: tuple[int, int]
) -> None:
    assert choose(cores, free_mb, most, fixed=fixed) == expected


@pytest.mark.parametrize(("seconds", "expected"), [(0.01, 2), (1.5, 8), (3.0, 16), (10.0, 32), (60.0, 32)])
def test_slower_models_leave_room_for_more_episodes(seconds: float, expected: int) -> None:
    assert filling(seconds) == expected


def record(runs: Path, run: str, model: str, *seconds: float, calls: int = 10) -> None:
    """A finished run: the seconds that each case spent in its calls."""
    (runs / run).mkdir(parents=True)
    lines = (
        {"contender": {"model": model}, "usage": {"calls": calls}, "timing": {"model": one * calls}} for one in seconds
    )
    (runs / run / "results.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_the_latest_run_with_the_model_tells_its_speed(tmp_path: Path) -> None:
    record(tmp_path, "old", MODEL, 1, 1, 1)
    record(tmp_path, "night", MODEL, 2, 3, 40)
    record(tmp_path, "other", "openai/another", 9, 9, 9)
    record(tmp_path, "replayed", MODEL, 0, 0, 0)
    record(tmp_path, "short", MODEL, 50)
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "results.jsonl").write_text('{"contender": {"mod\n[]\n')
    for number, name in enumerate(("old", "night", "other", "replayed", "short", "torn")):
        os.utime(tmp_path / name / "results.jsonl", (number, number))
    speed = recorded_speed(tmp_path, [MODEL])
    assert speed is not None
    assert (speed.model, speed.seconds, speed.run) == (MODEL, 3, "night")
    assert recorded_speed(tmp_path, ["openai/unknown"]) is None
    assert recorded_speed(tmp_path / "nothing", [MODEL]) is None


@pytest.fixture
def option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.delenv(XDISTS, raising=False)
    return SimpleNamespace(
        longtrail_ray=None,
        longtrail_episodes_per_worker=None,
        longtrail_agent=["webagent"],
        longtrail_model=[MODEL],
        longtrail_replay=None,
        longtrail_web="embedded",
        longtrail_reports=tmp_path,
        maxprocesses=None,
    )


def told(option: Any, root: Path) -> str:
    """What was chosen; the free memory changes."""
    auto_workers(option, root)
    return str(option.longtrail_auto)


def test_what_is_chosen_is_told_with_its_reasons(option: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = told(option, tmp_path)
    assert line.startswith("-n auto: ")
    assert "GB free" in line
    assert "a model that answers within 1.5 s fills a core)" in line
    option.longtrail_episodes_per_worker = None
    record(tmp_path / "runs", "night", MODEL, 0.2, 0.2, 0.2)
    monkeypatch.setenv(XDISTS, "1")
    line = told(option, tmp_path)
    assert line.startswith(f"-n auto: 1 worker ({XDISTS}), 2 episodes each (")
    assert line.endswith(f"{MODEL} took 0.2 s per call in run night)")
    assert option.longtrail_episodes_per_worker == 2


def test_xdists_own_variable_and_limit_hold(option: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(XDISTS, "3")
    assert auto_workers(option, tmp_path) == 3
    option.maxprocesses = 1
    assert auto_workers(option, tmp_path) == 1
    assert "1 worker (--maxprocesses 1)" in option.longtrail_auto
    option.longtrail_ray = "local"
    assert auto_workers(option, tmp_path) is None


@pytest.mark.parametrize("agent", ["http://127.0.0.1:1", "my.agent:make", "cdp:my.agent:walk"])
def test_agents_of_others_play_one_episode_after_the_other(agent: str, option: Any, tmp_path: Path) -> None:
    """A server may keep what belongs to an episode, and may answer one request at a time. Who knows better says so."""
    option.longtrail_agent = ["webagent", agent]
    auto_workers(option, tmp_path)
    assert option.longtrail_episodes_per_worker == 1
    assert f"{agent} may need one after the other; else give --episodes-per-worker" in option.longtrail_auto
    option.longtrail_episodes_per_worker = 4
    auto_workers(option, tmp_path)
    assert option.longtrail_episodes_per_worker == 4
