"""Published WebCanvas trajectories as noise: small files, and the 80 published trajectories, if available."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.commands.main import main
from longtrail.importing.webcanvas_noise import read_trajectories
from longtrail.noise.injection import inject
from longtrail.noise.pool import load_pool
from longtrail.noise.selection import orthogonal
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.yaml_file import read_yaml

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = Path(os.environ.get("LONGTRAIL_PUBLISHED", ROOT.parent / "shared" / "data")) / "webcanvas_published"
TRAJECTORIES = PUBLISHED / "trajectories_80.json.gz"
at_hand = pytest.mark.skipif(
    not TRAJECTORIES.exists(), reason=f"the published file is not in {PUBLISHED} (set LONGTRAIL_PUBLISHED)"
)
RECORDS = read_yaml(Path(__file__).with_name("published.yaml"))
KOA, LOST = RECORDS["koa"], RECORDS["lost"]


def write(path: Path, data: Any) -> Path:
    text = json.dumps(data)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text)
    return path


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    code = main(["import", "webcanvas", *map(str, words)])
    out = capsys.readouterr()
    return code, out.out + out.err


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_trajectories_become_a_pool(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    out = tmp_path / "pool.jsonl"
    code, report = said(capsys, write(tmp_path / name, [KOA, LOST]), "--out", out)
    assert code == 0
    assert "1 trajectories on 1 hosts" in report
    assert "left out: Browse concerts: no address was recorded" in report
    assert "lacking in 3 of 3 steps: summary of the page" in report
    (only,) = load_pool(out).trajectories
    assert only.host == "koa.com"
    assert "campgrounds" in only.topics
    assert [step.url for step in only.episode.steps] == ["", KOA["steps"][0]["url"], KOA["steps"][1]["url"]]
    assert [step.action for step in only.episode.steps] == [
        'search the web for "KOA California"',
        "Clicking on the link labeled California.",
        "click[359]",
    ]
    assert only.episode.steps[0].reflection == ""
    assert only.last_url == "https://koa.com/states-provinces/california/"
    assert only.ended_at == ""
    assert "URL: \n" not in only.text


def test_addresses_on_the_way_tell_relevance(tmp_path: Path) -> None:
    """A trajectory that visited a task's site is no noise for this task, even if most of it happened elsewhere."""
    tasks = [task for task in load_tasks().values() if isinstance(task, LongContextTask)]
    task = next(task for task in tasks if registrable_domain(task.host) == "ikea.com")
    passing = {**KOA, "steps": [*KOA["steps"], {**KOA["steps"][1], "url": "https://www.ikea.com/us/en/"}]}
    for published, expected in ((KOA, 1), (passing, 0)):
        out = tmp_path / "pool.jsonl"
        main(["import", "webcanvas", str(write(tmp_path / "t.json", [published])), "--out", str(out)])
        assert len(orthogonal(task, load_pool(out))) == expected


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is not JSON"),
        ("{}", "expected a list of trajectories"),
        ("[]", "expected a list of trajectories"),
        ("[3]", "record 1"),
        ([{"steps": []}], "record 1.task: Field required"),
        ([{**KOA, "steps": []}], "record 1.steps: "),
        ([KOA, {**KOA, "steps": [{"thought": ["x"]}]}], "record 2.steps.0.thought: "),
        ([LOST], "no trajectory can be used as noise"),
    ],
)
def test_bad_files_are_named_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, says: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    code, message = said(capsys, file, "--out", tmp_path / "out")
    assert code == 4
    assert says in message
    assert str(file) in message
    assert len(message.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_files_that_can_not_be_read_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torn = tmp_path / "torn.json.gz"
    torn.write_bytes(gzip.compress(b"[]" * 4000)[:40])
    good = write(tmp_path / "good.json", [KOA])
    for words, says in (
        ((tmp_path / "none.json",), "can't be read: No such file"),
        ((torn,), "is an incomplete gzip file"),
        ((good, "--out", good / "where"), "can't be written"),
    ):
        code, message = said(capsys, *words)
        assert code == 4, words
        assert says in message
        assert len(message.strip().splitlines()) == 1


@pytest.mark.thorough
@at_hand
def test_the_published_trajectories_fill_long_histories(tmp_path: Path) -> None:
    out = tmp_path / "pool.jsonl"
    main(["import", "webcanvas", str(TRAJECTORIES), "--out", str(out)])
    pool = load_pool(out)
    assert len(pool.trajectories) == 78
    assert pool.tokens > 150_000
    published = {trajectory.task: trajectory for trajectory in read_trajectories(TRAJECTORIES)}
    for noise in pool.trajectories:
        assert noise.host in {host_of(step.url) for step in published[noise.episode.instruction].steps}
    for task in load_tasks().values():
        if isinstance(task, LongContextTask):
            irrelevant = orthogonal(task, pool)
            assert sum(noise.tokens for noise in irrelevant) > 75_000, task.id
            first = pool.trajectories[0].episode
            history = inject(task, first, lambda: pool, 75_000, 0, lambda url: "google.com" in url).history
            assert abs(history.tokens - 75_000) <= 750
            assert "google.com" in history.last_url
