"""Figures: each one that is measured is a link to its cases; the few that are not stand in one list with the reason."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.report.watched import Watched

Watch = Callable[..., Watched]
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


@pytest.mark.parametrize("page", ["leaderboard.html", "runs/four/index.html", "runs/change/index.html"])
def test_every_figure_is_a_link(reports: Path, watch: Watch, page: str) -> None:
    seen = watch(reports / page)
    assert seen.page.evaluate(FOUND, ", ".join(PLAIN)) == []
    seen.page.context.close()


COUNTED = """() => [
  ...[...document.querySelectorAll(".stack a")].map((a) => [a, /: (\\d+) of/.exec(a.title)[1]]),
  ...[...document.querySelectorAll(".beside td a.v")].map((a) => [a, a.textContent]),
].map(([a, n]) => [a.getAttribute("href").split("#")[1], Number(n)])"""
FIND = "(told) => told.map(([hash]) => cases.matching(Object.fromEntries(new URLSearchParams(hash))).length)"


def test_counts_lead_to_so_many_cases(reports: Path, watch: Watch) -> None:
    """The parts of bars (turns of appeals among them), and the table of those that left the path."""
    told = watch(reports / "runs/four/index.html").page.evaluate(COUNTED)
    assert sum("turn_1" in one for one, _ in told) > 3
    assert sum("first_divergence" in one for one, _ in told) > 6
    assert sum("%7C" in one for one, _ in told) > 2
    found = watch(reports / "runs/four/cases.html").page.evaluate(FIND, told)
    assert [(one, n, got) for (one, n), got in zip(told, found, strict=True) if n != got] == []


def test_a_plain_figure_is_found(reports: Path, watch: Watch) -> None:
    seen = watch(reports / "leaderboard.html")
    seen.page.evaluate("document.querySelector('td.lead a.v').replaceWith('46.2')")
    assert len(seen.page.evaluate(FOUND, ", ".join(PLAIN))) == 1
    seen.page.context.close()
