"""Comparison: the page that the command writes, the figures of pairs, and hostile texts in all data scripts."""

import re
import shutil
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.gate.comparison import compare
from longtrail.records.case import HARD, PATHWAYS, SHIFTS
from longtrail.records.trajectory import Contender
from longtrail.report.build import write_site
from longtrail.report.job_summary import NO_EARLIER, summary
from longtrail.report.leaderboard.board import SUITES, boards
from longtrail.report.leaderboard.changes import PairedLines, changes_of
from longtrail.report.leaderboard.page import leaderboard_files
from longtrail.report.run.view import view_runs
from longtrail.report.template_page import TEMPLATES
from longtrail.runs.baseline import scores_of, write_baseline
from longtrail.runs.checked import checked_anew
from longtrail.runs.store import Run
from tests.report.pages.made_runs import FOUR, make_run, results, worse
from tests.report.payloads import PAYLOADS, filled
from tests.report.watched import Watch, violations


@pytest.mark.slow
def test_page_by_command(reports: Path, watch: Watch, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [str(reports / "runs" / name) for name in ("main", "change")]
    assert main(["compare", *runs, "--html"]) == 0
    page = Path(capsys.readouterr().out.splitlines()[-1])
    assert page == reports / "compare-main-change.html"
    assert "Regressed" in page.read_text()
    seen = watch(page)
    seen.page.locator("#flips .sides .step").first.wait_for()
    assert seen.misdeeds == []
    assert seen.page.locator("#flips h2").first.inner_text().startswith("Worse in B")
    assert violations(seen.page) == []
    at = [["main", f"goto http://127.0.0.1:{port}/a", f"http://127.0.0.1:{port}/a"] for port in (5001, 5002)]
    assert seen.page.evaluate("([one, two]) => sameStep(one, two)", at)
    assert not seen.page.evaluate("([one, two]) => sameStep(one, two)", [at[0], ["main", "back", at[1][2]]])
    seen.page.emulate_media(color_scheme="dark")
    assert violations(seen.page) == []
    seen.page.set_viewport_size({"width": 390, "height": 844})
    assert seen.overflow <= 0
    for href in seen.page.evaluate("[...document.links].map((a) => a.getAttribute('href').split('#')[0])"):
        assert not href or (reports / href).is_file(), href


@pytest.mark.slow
def test_with_a_baseline_file_there_are_tables_only(
    reports: Path, tmp_path: Path, watch: Watch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write_baseline(scores_of(Run.open(reports / "runs" / "main")), tmp_path / "base.json")
    assert main(["compare", str(file), str(reports / "runs" / "change"), "--html"]) == 0
    page = Path(capsys.readouterr().out.splitlines()[-1])
    seen = watch(page)
    assert seen.page.locator("h3", has_text="Endpoints").count() >= 1
    assert seen.page.locator("#flips *").count() == 0
    assert seen.misdeeds == []


def test_a_pair_says_what_the_command_says(reports: Path) -> None:
    views = {view.name: view for view in view_runs(reports) if view.name in ("main", "change")}
    old, new = (boards([views[name].board]) for name in ("main", "change"))
    both = [board for board in old if board.suite == "shopping_admin"]
    lines = (*both[0].lines, *next(board for board in new if board.suite == "shopping_admin").lines)
    (found,) = PairedLines(views).of_boards([type(both[0])("shopping_admin", lines, ())]).values()
    told = compare(*(scores_of(Run.open(reports / "runs" / name)) for name in ("main", "change")))
    primary = next(suite.primary for suite in told.suites if suite.suite == "shopping_admin")
    assert found[0] == "proven"
    assert found[1:6] == pytest.approx(
        [primary.before, primary.after, primary.change, primary.low, primary.high], abs=1e-4
    )
    assert found[6] == primary.tasks


def test_the_page_knows_every_suite() -> None:
    """Its name, and the measure by which its cases are compared."""
    page = (TEMPLATES / "compare.js").read_text()
    primary, names = (re.search(rf"const {name} = {{(.*?)}};", page) for name in ("PRIMARY", "NAMES"))
    assert primary
    assert names
    for suite in SUITES:
        assert f"{suite}: " in names[1]
        assert (f'{suite}: "success"' in primary[1]) == (suite not in (*PATHWAYS, *HARD, *SHIFTS))
        assert (f'{suite}: "tickets_proven"' in primary[1]) == (suite in SHIFTS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every payload in every text of a result."""
    folder = tmp_path_factory.mktemp("hostile") / "reports"
    some = [result for result in results(FOUR[:1]) if result.case.suite != "long_context"]
    bad = []
    for number, payload in enumerate(PAYLOADS):
        one = some[number % len(some)]
        case = one.case.model_copy(update={"id": f"case-{number}", "task": payload or "x", "prompt": "raw"})
        kept = {"case": case, "contender": Contender(agent="a", model=PAYLOADS[0]), "provenance": one.provenance}
        bad.append(filled(one, payload).model_copy(update=kept))
    for name in ("one", "two"):
        make_run(folder, name, bad, hour=1)
    write_site(folder, {})
    return folder


@pytest.mark.sampled(2, ci=1)
@pytest.mark.parametrize(
    ("path", "fragment"),
    [
        ("runs/one/index.html", ""),
        ("runs/one/cases.html", "#view=list&has=answer&q=%3Cscript%3E&who=%22%3E%3Cimg%20src%3Dx%3E"),
        ("runs/one/cases.html", "#has=harm"),
        ("compare.html", "#a=one%2Fa-script-window-ran-1-alert-1-script&b=two%2Fa-script-window-ran-1-alert-1-script"),
        ("compare.html", "#a=..%2F..%2Fone%2Fa&b=%2E%2E%2Fa"),
        ("compare.html", "#a=javascript:alert(1)%2Fx&b=https:%2F%2Fevil.test%2Fx"),
        ("leaderboard.html", "#q=%3Cimg%20src%3Dx%3E&agent=%3Cscript%3E&compare=%3Cscript%3E,javascript:alert(1)"),
    ],
)
def test_hostile_texts_are_only_shown(hostile: Path, watch: Watch, path: str, fragment: str) -> None:
    seen = watch(hostile / path, 390, fragment=fragment)
    if fragment.startswith("#a=one"):
        seen.page.locator("#flips summary").first.wait_for()
    assert not seen.ran
    assert seen.overflow <= 0
    assert seen.foreign_elements() == []
    assert [
        misdeed for misdeed in seen.misdeeds if "FILE_NOT_FOUND" not in misdeed
    ] == []  # a run that does not exist may be requested


def test_a_run_against_the_latest_earlier_one(reports: Path) -> None:
    """Each contender with itself, with equal settings. The summary lists changes, or that there is no earlier run."""
    (found,) = changes_of(reports / "runs" / "change")
    assert (found.run, found.label) == ("main", "oracle")
    worse = sum(len(suite.regressed) for suite in found.suites)
    assert worse > 3
    told = summary("change", [], [], changes=[found])
    assert "### oracle since main" in told
    assert f"regressed: {len(found.suites[0].regressed)}" in told
    assert "case | before | now" in told
    assert changes_of(reports / "runs" / "short") == (), "no earlier run has its settings"
    assert NO_EARLIER in summary("short", [], [], changes=[])
    assert NO_EARLIER not in summary("short", [], [])


def test_every_interval_of_a_change_says_its_level(reports: Path) -> None:
    """The gate's interval is one-sided at alpha, so it is narrower than the comparison's; the page says so."""
    board, run = ((reports / name).read_text() for name in ("leaderboard.html", "runs/change/index.html"))
    assert re.search(r'class="interval">\(90 % interval \S+ to \S+,', board)
    assert re.search(r'class="interval">\(90 % interval \S+ to \S+,', run)
    assert ">Interval<" not in run
    assert "the 95 % interval of a comparison is wider" in run


def test_a_small_p_is_not_shown_as_zero(reports: Path, tmp_path: Path) -> None:
    shutil.copytree(reports, tmp_path / "reports", ignore=shutil.ignore_patterns("compare-*", ".*"))
    verdict = tmp_path / "reports" / "runs" / "change" / "gate.json"
    verdict.write_text(re.sub(r'"adjusted": [\d.e-]+', '"adjusted": 0.0001', verdict.read_text()))
    write_site(tmp_path / "reports", {})
    cells = re.findall(r'class="n p">([^<]+)<', (verdict.parent / "index.html").read_text())
    assert set(cells) == {"&lt;0.001"}


def test_a_contender_that_does_worse_in_a_variant_is_told(tmp_path: Path) -> None:
    of = [one for one in results(FOUR[:1]) if one.case.suite == "shopping_admin"]

    def told() -> str:
        return leaderboard_files([*view_runs(tmp_path, checked_anew)])["leaderboard.html"]

    make_run(tmp_path, "shipped", of)
    assert "contamination" not in told().lower(), "without a variant there is no such part"
    make_run(tmp_path, "varied", [worse(result) for result in of], hour=1, variant=7)
    part = told().partition('id="contamination"')[2]
    assert "+100.0" in part
    assert "compare.html#a=shipped" in part
