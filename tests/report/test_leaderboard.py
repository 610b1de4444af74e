"""Leaderboard: the page holds what was measured, keeps families and published numbers apart, and is always the same."""

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from longtrail.records.result import Result
from longtrail.report.leaderboard.board import RunResults
from longtrail.report.leaderboard.page import leaderboard
from longtrail.report.template_page import write
from tests.report.factory import LONG_TASKS, SHOP, decisions, long_context, runs
from tests.report.watched import Watch, words
from tests.statistics.test_effects import played
from tests.statistics.test_effects import results as crossed_results


def few(results: list[Result]) -> list[Result]:
    """Two contenders and the baselines, so that a person can read the snapshot."""
    kept = ("irag / openai/gpt-4.1", "webagent / together_ai/Qwen3-235B", "oracle", "nothing")
    return [result for result in results if result.contender.label in kept]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("reports") / "leaderboard.html", leaderboard(runs()))


def test_page_says_what_is_stored(snapshot: SnapshotAssertion) -> None:
    small = [
        RunResults("long", few(list(long_context(1, LONG_TASKS[:3])))),
        RunResults("shop", few(list(decisions("shopping_admin", SHOP[:2], 1)))),
    ]
    assert words(leaderboard(small)) == snapshot


def test_an_empty_page_says_so() -> None:
    page = words(leaderboard([]))
    assert page.startswith("Longtrail leaderboard")
    assert "0 episodes" in page or "no run" in page.casefold()


def test_one_file_that_needs_nothing_else_and_is_always_the_same(board: Path, tmp_path: Path) -> None:
    page = board.read_text()
    assert write(tmp_path / "again.html", leaderboard(runs())).read_text() == page
    assert "default-src 'none'" in page
    assert not re.findall(r"<(?:img|iframe|link(?! rel=\"icon\")|script src)", page)
    assert len(page) < 1_000_000
    assert "unknown" in page, "prices"
    assert re.search(r"\d+ llm server", page), "invalid cases"


def test_short_words_stay_whole_on_a_phone(board: Path, watch: Watch) -> None:
    """`Shop back office` is broken only between words; the table scrolls instead."""
    page = watch(board, 390).page
    for text in ("Shop back office", "explicit"):
        cell = page.locator("table.board td:visible", has_text=re.compile(rf"^{text}$")).first
        lines = cell.evaluate(
            "cell => { const all = document.createRange(); all.selectNodeContents(cell);"
            " return new Set([...all.getClientRects()].map(one => Math.round(one.top))).size }"
        )
        assert lines <= len(text.split()), text


def test_published_numbers_stand_in_their_own_groups(board: Path, watch: Watch) -> None:
    page = watch(board).page
    ours = page.locator("tbody:not(.pub) th.name").all_text_contents()
    theirs = page.locator("tbody.pub th.name").all_text_contents()
    assert not any("Gemini" in name or "Llama" in name for name in ours)
    assert not any("oracle" in name or "openai/" in name for name in theirs)
    assert all("table" in name or "published" in name for name in theirs)
    for body in page.locator("#long_context tbody.pub").all():
        assert "Published" in body.inner_text()


def test_families_are_never_mixed(board: Path, watch: Watch) -> None:
    shop = watch(board).page.locator("#shopping_admin")
    ours = shop.locator("h3", has_text="Longtrail's measures").locator("xpath=following-sibling::div[1]")
    assert "product of means" not in ours.inner_text()
    assert ours.locator("tbody.pub").count() == 0
    papers = shop.locator("h3", has_text="The paper's measures").locator("xpath=following-sibling::div[1]")
    assert "Executed" not in papers.inner_text()


def test_rates_switch_their_denominator_without_a_script(board: Path, watch: Watch) -> None:
    shop = watch(board).page.locator("#shopping_admin")
    row = shop.locator("table.board").first.locator("tr", has_text="Qwen3-235B")
    before = row.locator("td.lead").inner_text()
    shop.get_by_label("completed cases").check()
    assert row.locator("td.lead").inner_text() != before
    shop.get_by_label("all cases").check()
    assert row.locator("td.lead").inner_text() == before


def test_every_rate_says_how_many_cases_it_rests_on(board: Path, watch: Watch) -> None:
    page = watch(board).page
    cells = page.locator("tbody:not(.pub) td.heat, .bar").all_inner_texts()
    assert len(cells) > 100
    silent = [cell for cell in cells if not re.search(r"n [\d\u2009]+", cell)]
    assert silent == []


def test_the_cases_add_up(board: Path, watch: Watch) -> None:
    rows = watch(board).page.locator("#shopping_admin table.board").first.locator("tbody tr:has(td)").all()
    assert rows
    for row in rows:
        words = row.inner_text().replace("\u2009", "")
        total, main, others = map(int, re.search(r"(\d+)\s+(\d+) \+ (\d+)", words).groups())
        assert total == main + others


def test_columns_sort_within_their_group(board: Path, watch: Watch) -> None:
    table = watch(board).page.locator("#long_context table.board").first
    names = table.locator("tbody").first.locator(".agent")
    assert names.first.inner_text() == "anthropic/claude-sonnet-4-5"
    table.get_by_role("button", name="Success", exact=True).click()
    table.get_by_role("button", name="Success", exact=True).click()
    assert names.first.inner_text() == "together_ai/Qwen3-235B"
    assert table.locator("tbody.base .agent").last.inner_text() == "oracle"
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"


def test_a_contender_with_no_valid_case_has_a_line(tmp_path: Path, watch: Watch) -> None:
    invalid = [r for r in long_context(2, LONG_TASKS) if r.outcome == "invalid" and "Qwen" in r.contender.label]
    page = watch(write(tmp_path / "leaderboard.html", leaderboard([RunResults("broken", invalid)]))).page
    row = page.locator("#long_context table.board").first.locator("tbody").first.locator("tr")
    assert row.locator("td").first.inner_text().startswith("0")
    assert row.locator(".warn").inner_text() == "100"


def test_the_funnel_by_length_of_decision_tasks_amid_other_work() -> None:
    page = leaderboard([RunResults("run", [*crossed_results(), played("a", 25_000, agent="b")])])
    assert "Long histories" in page
    assert "-50.0" in page
    assert "investigation 1 of 3" in page
    assert "decision 1 of 3" in page
    plain = leaderboard([RunResults("run", list(decisions("shopping_admin", SHOP[:2])))])
    assert "Long histories" not in plain
