"""Recording: errands are played in a real browser, and give the same bytes every time."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.browser.session import Browser
from longtrail.errors import DataError
from longtrail.noise.pool import NoiseTrajectory, load_pool
from longtrail.web.sealed import SealedWeb
from workshop.noise.errand import NoiseTask, load_errands
from workshop.noise.recording import play, record

AGAIN = ("rug_walkable_on_both_sides", "praise_for_a_driver")
"""One that reads, one that fills in a form. Neither uses the search engine: its results change with every new site."""
WHY = "There is a reason for this, and it is a good one."


def deeds(trajectory: NoiseTrajectory) -> list[tuple[str, str, str]]:
    """Address, beginning of the page's text, and action of each step: how much of the page is kept depends on the
    wording's length."""
    return [(step.url, step.seen[:100].removesuffix(" ..."), step.action) for step in trajectory.episode.steps]


@pytest.mark.thorough
def test_recorded_again_they_are_what_they_were(tmp_path: Path) -> None:
    """The actions are those of the shipped pool, and the bytes are the same each time. The wording differs from the
    shipped pool's: it depends on all trajectories, so that no sentence is used too often."""
    errands = [errand for errand in load_errands() if errand.id in AGAIN]
    out, told = tmp_path / "pool.jsonl", list[str]()
    pool = record(errands, out, tell=told.append)
    shipped = {trajectory.id: trajectory for trajectory in load_pool().trajectories}
    for trajectory in pool.trajectories:
        assert deeds(trajectory) == deeds(shipped[trajectory.id])
    assert [line.split(":")[0] for line in told] == sorted(AGAIN)
    again = tmp_path / "again.jsonl"
    record(reversed(errands), again)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.thorough
def test_the_trajectories_of_other_sites_are_kept(tmp_path: Path) -> None:
    rugs, praise = (next(errand for errand in load_errands() if errand.id == name) for name in AGAIN)
    out = tmp_path / "pool.jsonl"
    before = {trajectory.id: trajectory for trajectory in record([rugs, praise], out).trajectories}
    after = {trajectory.id: trajectory for trajectory in record([rugs], out).trajectories}
    assert after[praise.id] == before[praise.id]
    assert deeds(after[rugs.id]) == deeds(before[rugs.id])


def errand(*moves: dict[str, Any]) -> NoiseTask:
    start = {"goto": "https://www.ikea.com/us/en/", "why": WHY}
    end = {"finish": "done", "why": WHY}
    middle = [{"why": WHY, **move} for move in moves]
    return NoiseTask(
        id="wrong",
        host="www.ikea.com",
        topics=("rugs",),
        instruction="Find a rug.",
        aim=("find a rug",),
        moves=(start, *middle, end),  # type: ignore[arg-type]
    )


@pytest.mark.sampled(2, ci=1)
@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        (
            [{"click": {"role": "link", "name": "Spaceships"}}, {"back": True}],
            r'wrong\.moves\.2: link "Spaceships" no\. 1 is not on the page https://www\.ikea\.com/us/en/',
        ),
        (
            [{"scroll": "down", "then": "It costs $12,345.67."}, {"scroll": "up"}],
            r"wrong\.moves\.2: says \$12,345\.67, which no page has shown so far",
        ),
        (
            [{"goto": "https://www.ikea.com/us/en/no-such-page/"}, {"back": True}],
            r"wrong\.moves\.2: led to https://www\.ikea\.com/us/en/no-such-page/, which answers 404",
        ),
        (
            [{"goto": "https://elsewhere.example/"}, {"back": True}],
            r"wrong\.moves\.2: can't be carried out",
        ),
    ],
)
def test_what_does_not_work_is_said(
    embedded_web: SealedWeb, shared_browser: Browser, moves: list[dict[str, Any]], complaint: str
) -> None:
    with pytest.raises(DataError, match=complaint):
        play(errand(*moves), embedded_web, shared_browser)
