"""Figures: every measured figure is a link to its cases; the few exceptions are in one list, with the reason."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.records.result import Metric, Result
from longtrail.report.build import write_site
from tests.report.factory import CONTENDERS, LONG_TASKS, long_context
from tests.report.pages.made_runs import make_run
from tests.report.watched import Watch

PLAIN = {
    "tbody.pub": "published figures: their cases are not ours",
    ".ci": "the interval, n or note of the figure that it stands below, which is a link",
    ".faint": "nothing: a dash, or a count of zero",
    ".interval": "of the figure beside it",
    ".p": "a property of the test, not of cases",
    ".mono": "a name: a run, data, an option",
    ".of": "how many pairs a figure rests on",
    "dl.about .soft": "of the plan",
}
FOUND = """(plain) => {
  const told = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, box = node.parentElement;
    if (!/\\d/.test(node.data) || !box.closest("td, dd, .stack, .strip .num, .moved .num")) continue;
    if (box.closest("a, summary, dl.reading, " + plain)) continue;
    if (box.closest("td:not(.n)") && !box.closest(".stack, .v, .num")) continue;
    if (box.closest("dl.about") && !box.closest("dd.of-cases")) continue;
    told.push(box.closest("td, dd, p, li").outerHTML.slice(0, 300));
  }
  return told;
}"""


@pytest.mark.parametrize(
    ("page", "points"), [("leaderboard.html", 21), ("runs/four/index.html", 21), ("runs/change/index.html", 0)]
)
def test_every_figure_and_every_point_of_a_chart_is_a_link(reports: Path, watch: Watch, page: str, points: int) -> None:
    seen = watch(reports / page).page
    drawn = seen.locator("svg .point, svg .spot, svg .relocated:not(.glyph *)")
    assert drawn.count() >= points
    assert all(drawn.evaluate_all("(all) => all.map((one) => one.closest('a')?.getAttribute('href').length > 9)"))
    assert seen.evaluate(FOUND, ", ".join(PLAIN)) == []
    seen.evaluate("document.querySelector('td.n a.v').replaceWith('46.2')")
    assert len(seen.evaluate(FOUND, ", ".join(PLAIN))) == 1, "a plain figure is found"
    seen.context.close()


RATES = """() => [...document.querySelectorAll("a.v[href*='cases.html#']")].flatMap((a) => {
  const n = a.parentElement.querySelector(":scope > .ci.of");
  const found = n && /^n ([\\d\\u2009]+)$/.exec(n.textContent);
  return found ? [[a.getAttribute("href").split("#")[1], Number(found[1].replace(/\\u2009/g, ""))]] : [];
})"""
COUNTED = """() => [
  ...[...document.querySelectorAll(".stack a")].map((a) => [a, /: (\\d+) of/.exec(a.title)[1]]),
  ...[...document.querySelectorAll(".leaving td a.v")].map((a) => [a, a.textContent]),
].map(([a, n]) => [a.getAttribute("href").split("#")[1], Number(n)])"""
DOTS = """() => [...document.querySelectorAll("svg a[aria-label]")].flatMap((a) => {
  const n = /, (\\d+) cases/.exec(a.getAttribute("aria-label"));
  return n ? [[a.getAttribute("href").split("#")[1], Number(n[1])]] : [];
})"""
FIND = "(told) => told.map(([hash]) => cases.matching(Object.fromEntries(new URLSearchParams(hash))).length)"


def wrong_counts(run: Path, watch: Watch, told: list[tuple[str, int]]) -> list[tuple[str, int, int]]:
    """Links to cases whose number is not the told one."""
    counted = watch(run / "cases.html").page.evaluate(FIND, told)
    return [(hash_, n, got) for (hash_, n), got in zip(told, counted, strict=True) if n != got]


def test_figures_lead_to_exactly_the_cases_behind_them(reports: Path, watch: Watch) -> None:
    """Rates with their n; parts of bars (such as turns of appeals); where agents left the path; points of charts:
    success by length, rates by prompt, curves over the turns of appeals, and cost against success."""
    seen = watch(reports / "runs/four/index.html").page
    rates, counts, points = (seen.evaluate(query) for query in (RATES, COUNTED, DOTS))
    assert len(rates) > 150
    for part, least in {"turn_1": 3, "first_divergence": 6, "%7C": 2}.items():
        assert sum(part in one for one, _ in counts) > least
    for suite, place in {"long_context": "25k", "reddit": "hint", "shopping_admin": "turn_2"}.items():
        assert sum(f"suite={suite}" in one and place in one for one, _ in points) > 1
    assert seen.locator("svg .point").count() == seen.locator("svg a .point").count()
    assert wrong_counts(reports / "runs/four", watch, [*rates, *counts, *points]) == []


MODEL = CONTENDERS[0][0].label
MAP = """() => [...document.querySelectorAll("table.map")]
  .filter((table) => table.tHead.textContent.includes("First part"))
  .flatMap((table) => [...table.tBodies[0].rows].map((row) => ({
    names: [...row.querySelectorAll(".name")].map((cell) => cell.textContent),
    cells: [...row.querySelectorAll("td.n")].map((cell) => [cell.title, cell.querySelector("a")?.href ?? ""]),
  })))"""


def placed(one: Result, n: int) -> Result:
    """The result with similar noise, and with the first part at a random place in it."""
    case = one.case.model_copy(update={"noise": "similar", "needle": "random"})
    depth = Metric(value=(n % 7) / 7 if case.noise_tokens else None, reason="drawn")
    return one.model_copy(update={"case": case, "metrics": {**one.metrics, "needle_depth": depth}})


@pytest.fixture(scope="module")
def placed_reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with similar noise and a random needle, and one in the paper's setting."""
    mine = [one for one in long_context(3, LONG_TASKS[:2]) if one.contender.label == MODEL]
    folder = tmp_path_factory.mktemp("placed")
    make_run(folder, "placed", [placed(one, n) for n, one in enumerate(mine)])
    make_run(folder, "plain", mine, hour=1)
    write_site(folder, {})
    return folder


def test_each_cell_leads_to_its_cases(placed_reports: Path, watch: Watch) -> None:
    """Of the map of lengths, places of the first part, and kinds of noise."""
    run = placed_reports / "runs/placed"
    rows: list[dict[str, Any]] = watch(run / "index.html").page.evaluate(MAP)
    assert [row["names"] for row in rows] == [
        ["The task's own site too", place] for place in ("first third", "middle third", "last third")
    ]
    cells = [(title, href) for row in rows for title, href in row["cells"] if href]
    assert len(cells) > 10
    told = [(href.split("#")[1], int(title.rpartition("n ")[2])) for title, href in cells]
    assert wrong_counts(run, watch, told) == []
    assert watch(placed_reports / "runs/plain/index.html").page.evaluate(MAP) == []
