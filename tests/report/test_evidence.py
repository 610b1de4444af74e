"""Evidence: facts against steps, pieces beside the passages that they cite, both paths side by side, pages in words."""

import re
from pathlib import Path

from longtrail.records.action import Decide
from longtrail.records.trajectory import Trajectory
from longtrail.report.trace.evidence import cited, evidence_matrix, fact_lines, loose, page_in_words
from longtrail.report.trace.page import write_trace
from longtrail.report.trace.reference_path import aligned_paths
from longtrail.report.trace.story import story
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.score import score
from longtrail.tasks.reference import Locator, ReferenceStep
from tests.made import CUSTOMER, ORDER, case, decide, decision_task, investigation, solved, step, trajectory


def test_each_fact_has_a_cell_for_each_step() -> None:
    rows = {row.id: row for row in evidence_matrix(DecisionView(decision_task(), solved()))}
    assert rows["size-exchanges"].cells == ("", "", "first", "given")
    assert rows["net-value"].cells == ("", "", "", "given")
    assert rows["size-exchanges"].where == "order 600, comments history"
    assert (rows["net-value"].ended, rows["net-value"].good) == ("given as a reason", True)
    assert "claim" not in rows, "the trigger already tells it"


def test_a_page_that_was_open_without_the_fact_and_a_distractor_given() -> None:
    grid, order, history = investigation()
    blank = history.model_copy(update={"observation": history.observation.model_copy(update={"text": "Nothing"})})
    piece = {"source": CUSTOMER, "quote": "Reads the newsletter every week"}
    last = decide(4, justification="So it is.", text="Reads the newsletter every week", evidence=(piece,))
    played = trajectory((grid, order, blank, last))
    plain = decision_task()
    task = decision_task(distractors=tuple(d.model_copy(update={"pages": ("customer:87",)}) for d in plain.distractors))
    rows = {row.id: row for row in evidence_matrix(DecisionView(task, played))}
    assert rows["size-exchanges"].cells == ("", "", "open", "")
    assert rows["size-exchanges"].ended == "its page was open, it was not shown"
    assert rows["newsletter"].cells[-1] == "asserted"
    assert not rows["newsletter"].good
    assert rows["gift-wrap"].good


def test_pieces_stand_beside_their_passages() -> None:
    evidence = [
        {"source": ORDER, "quote": "15 returns, all size exchanges M/L to L/XL"},
        {"source": ORDER, "quote": "she shouted at the driver twice"},
    ]
    played = trajectory((*investigation(), decide(4, evidence=evidence)))
    view, result = DecisionView(decision_task(), played), score(decision_task(), played)
    assert isinstance(view.decision, Decide)
    found, missing = cited(view.decision, view.pages, result.claims)
    assert (found.step, found.flagged) == (3, False)
    assert "15 returns" in found.passage
    assert (missing.step, missing.flagged) == (None, True)
    assert len(loose(result.claims, (found, missing))) == len(result.claims) - 2


def test_lines_that_tell_a_fact_are_known() -> None:
    lines = fact_lines(DecisionView(decision_task(), solved()))
    assert lines[3] == {"15 returns, all size exchanges M/L to L/XL"}
    assert 1 not in lines


def test_paths_are_aligned_where_they_did_the_same() -> None:
    path = [
        ReferenceStep(click=Locator(role="link", name="View")),
        ReferenceStep(click=Locator(role="tab", name="Comments History")),
        ReferenceStep(read="15 returns"),
        ReferenceStep(decide=True),
    ]
    rows = aligned_paths(path, solved().steps)
    assert [(row.reference, row.step) for row in rows if row.same] == [
        ('click link "View"', 0),
        ('click tab "Comments History"', 1),
        ("decide", 3),
    ]
    assert [row.reference for row in rows if row.step is None] == ['read "15 returns"']
    assert [row.step for row in rows if not row.reference] == [2]


WORDS = {
    "order:635": "order 635", "order:635/history": "order 635, comments history", "image:9f2c": "a picture",
    "customer:87/orders": "customer 87, orders", "creditmemos": "list of credit memos", "cms:6": "written page 6",
    "forum:user/ada/comments": "ada's comments", "forum:submission/160326": "submission 160326",
    "forum:log/news": "moderation log of news", "forum:wiki/moderation/claims": "wiki page moderation/claims",
}  # fmt: skip


def test_pages_have_words() -> None:
    assert {key: page_in_words(key) for key in WORDS} == WORDS


def noted_before() -> Trajectory:
    """A case whose evidence was noted before the noise: two steps of its own follow."""
    before = tuple(step_before.model_copy(update={"phase": "a1"}) for step_before in investigation())
    own = (step(1, {"type": "scroll", "direction": "down"}), decide(2))
    return trajectory((*before, *own), case(placement="lost_evidence", noise_tokens=25_000, prompt="raw"))


def test_what_was_noted_before_the_noise_has_a_column() -> None:
    view = DecisionView(decision_task(), noted_before())
    rows = {row.id: row for row in evidence_matrix(view)}
    assert rows["size-exchanges"].cells == ("first", "", "given")
    assert rows["net-value"].cells[0] == ""
    assert fact_lines(view)[3] == {"15 returns, all size exchanges M/L to L/XL"}


def test_steps_are_named_by_their_place_in_the_episode(tmp_path: Path) -> None:
    """The three noted steps come first, so the second step of the main phase is the episode's fifth."""
    played = noted_before()
    page = write_trace(played, score(decision_task(), played), decision_task(), tmp_path / "traces").read_text()
    head = page[page.index('<table class="matrix">') :]
    head = head[: head.index("</thead>")]
    assert re.findall(r'href="#step-(\d)">(\w+)<', head) == [("1", "noted"), ("4", "4"), ("5", "5")]
    assert page.count("evidence noted before the noise: ") >= 1
    assert 'The decision <small><a href="#step-5">' in page
    silent = decide(2, justification="I am sure.", evidence=())
    ungiven = played.model_copy(update={"steps": (*played.steps[:4], silent)})
    told = story(ungiven, score(decision_task(), ungiven), decision_task()).text
    assert "(noted before the noise), but did not give it" in told
