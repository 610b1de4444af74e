"""The forum's pictures: no text or metadata gives their content away, and only agents with screenshots see it."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from longtrail.agents.spec import ORACLE
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.checks.visits import LARGE, seen
from longtrail.episode.context import EpisodeContext
from longtrail.llm.tokens import count
from longtrail.records.observation import ShownPicture
from longtrail.records.trajectory import Case, Contender, Step, Trajectory
from longtrail.scoring.score import score
from longtrail.scoring.shown_pages import delivered, shown_pages
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.tasks.twins import load_twins
from longtrail.web.sealed import SealedWeb
from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.sites.forum.reading import FOLDER, REDRAWN
from longtrail.web.sites.forum.story import STORY
from tests.made import play_case, served, step
from tests.web.sites.forum.member import Member

FILES = sorted(path.name for path in FOLDER.glob("*.*"))
AGAIN = sorted(path.name for path in (FOLDER / REDRAWN).iterdir())
TASKS = {
    name: task
    for name, task in load_tasks().items()
    if isinstance(task, DecisionTask) and task.category == "fact_check_multimodal"
}
POST, PAGE = "https://forum.test/f/maps/17/a-map", "https://forum.test/submission_images/00ff"
FILE, KEY = "https://forum.test/submission_images/00ff.png", "image:00ff"
EXPLAINED = {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
"""Metadata that every JPEG has."""


def opened(name: str) -> Image.Image:
    return Image.open(io.BytesIO((FOLDER / name).read_bytes()))


def test_every_picture_is_posted() -> None:
    posted = [item.image for task in TASKS.values() for item in STORY.validate_python(task.story).submissions]
    assert sorted(filter(None, posted)) == FILES
    assert len(FILES) >= 24


@pytest.mark.parametrize("name", [*FILES, *(f"{REDRAWN}/{name}" for name in AGAIN)])
def test_a_file_tells_nothing_but_its_pixels(name: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{16}\.(png|jpg)", Path(name).name)
    assert (FOLDER / name).stat().st_size <= 120_000
    picture = opened(name)
    assert set(picture.info) <= EXPLAINED
    assert not picture.getexif()
    assert picture.size == (1200, 720)


def test_no_two_are_alike() -> None:
    small = {name: opened(name).convert("RGB").resize((60, 36)) for name in FILES}
    for one in FILES:
        for other in FILES:
            if one < other:
                difference = ImageStat.Stat(ImageChops.difference(small[one], small[other])).mean
                assert max(difference) > 1.0, (one, other)


def test_pages_show_pictures_without_a_word_about_them(member: Member) -> None:
    for task in TASKS.values():
        for item in STORY.validate_python(task.story).submissions:
            if item.image:
                stem = item.image.split(".")[0]
                html = member.get(member.get(f"/{item.id}").headers["location"]).text
                assert f'src="/submission_images/{item.image}" alt=""' in html
                assert f'href="/submission_images/{stem}" aria-label="View image"' in html
                assert 'alt=""' in member.get(f"/submission_images/{stem}").text
                answer = member.get(f"/submission_images/{item.image}")
                assert answer.content == (FOLDER / item.image).read_bytes()
                assert "filename" not in str(answer.headers)


def test_a_twins_picture_is_sent_under_the_same_name(member: Member) -> None:
    """The start page does not tell a counterfactual twin from its task."""
    twins = [task for task in load_twins().values() if task.category == "fact_check_multimodal"]
    items = [item for task in twins for item in STORY.validate_python(task.story).submissions if item.redrawn]
    assert sorted(item.image for item in items) == AGAIN
    member.world.stage(twins[0])
    for item in items:
        answer = member.get(f"/submission_images/{item.image}")
        assert answer.content == (FOLDER / REDRAWN / item.image).read_bytes() != (FOLDER / item.image).read_bytes()


def test_what_is_written_in_a_picture_is_known() -> None:
    """Otherwise an agent that quotes it would be said to have invented it."""
    for task in TASKS.values():
        assert [fact for fact in task.required if fact.pictured], task.id
        assert all(fact.lettering for fact in task.required if fact.pictured), task.id


def looks(*pictures: ShownPicture, url: str = PAGE) -> tuple[Step, ...]:
    """One step in which the site serves a picture's page, then a step for each of these looks at the picture."""
    steps = [step(1, {"type": "click", "id": "1"}, url=POST, requests=(served(url),), to=url)]
    for number, picture in enumerate(pictures, 2):
        one = step(number, {"type": "scroll"}, url=url)
        steps.append(
            one.model_copy(update={"observation": one.observation.model_copy(update={"pictures": (picture,)})})
        )
    return tuple(steps)


TRAIL: tuple[frozenset[str], ...] = (frozenset({"forum:submission/17"}), *[frozenset({KEY})] * 3)


def test_a_picture_is_seen_whole_and_large() -> None:
    assert seen([KEY], looks(ShownPicture(url=FILE, scale=LARGE)), TRAIL[:2]) == 2
    assert seen([KEY], looks(ShownPicture(url=FILE, scale=LARGE - 0.01)), TRAIL[:2]) is None
    assert seen([KEY], looks(ShownPicture(url=FILE, scale=1, bottom=0.8)), TRAIL[:2]) is None


def test_parts_of_it_add_up() -> None:
    upper, lower = ShownPicture(url=FILE, scale=1, bottom=0.6), ShownPicture(url=FILE, scale=1, top=0.55)
    assert seen([KEY], looks(upper, upper, lower), TRAIL) == 4
    assert seen([KEY], looks(upper, upper), TRAIL[:3]) is None
    assert seen([KEY], looks(lower, ShownPicture(url=FILE, scale=0.3)), TRAIL[:3]) is None


def test_a_picture_that_the_site_did_not_serve_is_none() -> None:
    elsewhere = (frozenset({"forum:submission/17"}),) * 2
    assert seen([KEY], looks(ShownPicture(url=FILE, scale=1)), elsewhere) is None
    assert seen([KEY], looks(ShownPicture(url=FILE.replace("00ff", "00fe"), scale=1)), TRAIL[:2]) is None


def test_words_are_no_picture() -> None:
    """Text that says what a picture shows, such as the agent's own comment, does not count as a look at the picture."""
    fact = TASKS["factcheck_easy_008"].required[0]
    one = step(1, {"type": "scroll"}, url=POST)
    told = one.model_copy(update={"observation": one.observation.model_copy(update={"text": fact.says})})
    assert seen(fact.pages, (told,), TRAIL[:1]) is None
    assert delivered(fact, shown_pages((told,), (frozenset({"forum:submission/17"}),))) is None


@pytest.fixture(scope="module")
def played() -> Iterator[Trajectory]:
    """The oracle's run of the case with the tower, with screenshots."""
    task = TASKS["factcheck_easy_008"]
    with SealedWeb([ForumSite()]) as web, Browser(ViewSettings(screenshot=True), count=count) as browser:
        case = Case(id="tower-r0", suite="reddit", task=task.id, prompt="raw")
        context = EpisodeContext(web, browser, Contender(agent=ORACLE, vision=True))
        yield play_case(case, task, context)


def test_who_sees_can_prove_it(played: Trajectory) -> None:
    result = score(TASKS["factcheck_easy_008"], played)
    assert result.outcome == "passed", result.reason
    assert (result.number("evidence_share"), result.number("executed"), result.number("hallucinates")) == (1, 1, 0)


def test_who_reads_text_only_can_not(played: Trajectory) -> None:
    blind = played.model_copy(update={"contender": Contender(agent=ORACLE)})
    result = score(TASKS["factcheck_easy_008"], blind)
    assert result.number("evidence_share") == 0.5
    assert (result.outcome, result.number("proven")) == ("failed", 0)


def test_the_preview_is_too_small_to_be_read(played: Trajectory) -> None:
    shown = {each.observation.url.split("/")[3]: each.observation.pictures for each in played.steps}
    assert shown["f"] == ()  # the forum's list has no pictures
    (preview,) = played.steps[0].observation.pictures
    (large,) = shown["submission_images"]
    assert preview.scale < LARGE / 2
    assert large.scale >= LARGE
    assert (large.left, large.top, large.right, large.bottom) == (0, 0, 1, 1)
    assert Path(large.url).name in FILES
