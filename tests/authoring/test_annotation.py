"""Annotation: the sheet for raters, how it is read back, and agreement measures with known answers."""

import csv
from pathlib import Path

import pytest

from longtrail.authoring.annotation import (
    FILLED,
    RaterMarks,
    agreement_text,
    measure_agreement,
    read_sheet,
    sample,
    sheet_text,
)
from longtrail.commands.main import main
from longtrail.errors import DataError
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Trajectory
from longtrail.report.text import no_formula, plain
from longtrail.runs.manifest import new_manifest
from longtrail.runs.rescore import rescore
from longtrail.runs.store import Run
from longtrail.scoring.score import score
from longtrail.statistics.agreement import cohen_kappa, fleiss_kappa, pearson, spearman
from tests.made import case, decide, decision_task, investigation, trajectory

TASK = decision_task()


def played(name: str, decision: str = "APPROVE", justification: str = "All is well.") -> tuple[Result, Trajectory]:
    of = case(id=name, prompt="raw")
    done = trajectory((*investigation(), decide(4, decision, justification)), of)
    return score(TASK, done), done


def marks(factual: int, coherent: int, complete: int, acceptable: int = 1) -> RaterMarks:
    return RaterMarks(factual=factual, coherent=coherent, complete=complete, acceptable=acceptable)


def test_a_sheet_is_read_back_as_it_was_filled_in(tmp_path: Path) -> None:
    cases = [played("a-r0"), played("b-r0", justification="=HYPERLINK(1)")]
    text = sheet_text(
        [r for r, _ in cases], {t.case.id: t for _, t in cases}, {TASK.id: ["15 returns.", "$5,879.84 net."]}
    )
    rows = list(csv.reader(text.splitlines()))
    assert rows[0][0].startswith("# factual:")
    assert rows[1][-len(FILLED) :] == list(FILLED)
    assert rows[2][3] == "15 returns. | $5,879.84 net."
    assert rows[3][5] == "'=HYPERLINK(1)"
    for row, given in zip(rows[2:], (["3", "2", "1", "1"], ["", "", "", ""]), strict=True):
        row[-len(FILLED) :] = given
    path = tmp_path / "filled.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(rows)
    assert read_sheet(path) == {"a-r0": marks(3, 2, 1)}


def test_no_cell_is_a_formula() -> None:
    formulas = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\x1b[31m=1", "  =cmd|' /C calc'!A0")
    assert [text for text in formulas if not no_formula(plain(text)).startswith("'")] == []
    assert no_formula(plain("a = b\nc")) == "a = b c"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "is not a sheet"),
        ("case,factual\na,3\n", "is not a sheet"),
        ("case,factual,coherent,complete,acceptable\na,4,1,1,1\n", "line 2.factual"),
        ("case,factual,coherent,complete,acceptable\na,3,,1,1\n", "line 2.coherent"),
    ],
)
def test_sheets_that_are_wrong_are_named(tmp_path: Path, content: str, says: str) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=says):
        read_sheet(path)


def test_a_sample_is_spread_over_the_strata_and_always_the_same() -> None:
    results = [played(f"{kind.lower()}-{number}", kind)[0] for kind in ("APPROVE", "DENY") for number in range(20)]
    chosen = sample(results, 10, seed=3)
    assert len({result.case.id for result in chosen}) == 10
    assert sum(result.metrics["answer"].value == "DENY" for result in chosen) == 5
    assert sample(list(reversed(results)), 10, seed=3) == chosen
    assert sample(results, 10, seed=4) != chosen
    assert len(sample(results, 100)) == 40


def scored(name: str, reasoning: float, decision: float) -> Result:
    result = played(name)[0]
    changed = {"reasoning": Metric(value=reasoning, reason=""), "decision": Metric(value=decision, reason="")}
    return result.model_copy(update={"metrics": {**result.metrics, **changed}})


def test_agreement_with_people() -> None:
    results = [scored("a", 1.0, 1.0), scored("b", 0.5, 0.8), scored("c", 0.0, 0.8), scored("d", 0.5, 0.0)]
    one = {"a": marks(3, 3, 3), "b": marks(2, 2, 1, 1), "c": marks(0, 0, 0, 0), "d": marks(1, 2, 2, 0)}
    other = {**one, "c": marks(1, 0, 0, 1), "e": marks(3, 3, 3)}
    third = {**one, "c": marks(0, 0, 0, 0)}
    found = measure_agreement([one, other, third], results)
    assert (found.cases, found.people) == (4, 3)
    assert found.cohen["coherent"] == found.fleiss["coherent"] == 1.0
    assert found.cohen["factual"] == pytest.approx((2 * 2 / 3 + 1) / 3, abs=0.02)
    assert found.pearson == pytest.approx(1.0, abs=0.01)
    assert (found.equivalence, found.equivalent_cases) == (0.5, 2)
    assert "4 cases, 3 people" in agreement_text(found)


def test_marks_for_other_cases_are_refused() -> None:
    with pytest.raises(DataError, match="not a case of this run"):
        measure_agreement([{"z": marks(1, 1, 1)}], [scored("a", 1.0, 1.0)])
    with pytest.raises(DataError, match="marked by everybody"):
        measure_agreement([{"a": marks(1, 1, 1)}, {"b": marks(1, 1, 1)}], [scored("a", 1.0, 1.0)])


@pytest.mark.parametrize(
    ("pairs", "value"),
    [
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "a"), ("a", "a")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        ([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")], 0.0),
        ([(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15, 0.4),
    ],
)
def test_cohens_kappa_of_known_tables(pairs: list[tuple[object, object]], value: float) -> None:
    assert cohen_kappa(pairs) == pytest.approx(value)


def test_fleiss_kappa_of_the_textbook_table() -> None:
    """Ten subjects, fourteen raters, five categories (Fleiss 1971 as commonly reprinted): 0.210."""
    table = ["0 0 0 0 14", "0 2 6 4 2", "0 0 3 5 6", "0 3 9 2 0", "2 2 8 1 1"]
    table += ["7 7 0 0 0", "3 2 6 3 0", "2 5 3 2 2", "6 5 2 1 0", "0 2 2 3 7"]
    items = [[c for c, n in enumerate(row.split()) for _ in range(int(n))] for row in table]
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=0.0005)
    assert fleiss_kappa([[1, 1, 1], [2, 2, 2]]) == 1.0
    unequal: list[list[list[object]]] = [[], [[1]], [[1, 2], [1]]]
    for items in unequal:
        with pytest.raises(ValueError, match="marks"):
            fleiss_kappa(items)


def test_correlations_of_known_values() -> None:
    assert pearson([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert pearson([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [1, 100, 10_000]) == pytest.approx(1.0)
    assert spearman([1, 2, 2, 3], [4, 3, 3, 1]) == pytest.approx(-1.0)
    assert pearson([1, 1], [1, 2]) is None


def test_the_command_writes_a_sheet_and_reads_filled_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run.create(tmp_path / "run", new_manifest("run", {}))
    for number in range(4):
        decision = decide(4, "DENY" if number % 2 else "APPROVE", justification="15 returns, all size exchanges.")
        run.write_episode(trajectory((*investigation(), decision), case(id=f"case-{number}", prompt="raw")))
    run.write_results(rescore(run, {TASK.id: TASK}))
    run.close()
    out = tmp_path / "sheets" / "blank.csv"
    assert main(["annotate", str(run.folder), "--out", str(out), "--cases", "3"]) == 0
    assert f"3 cases in {out}" in capsys.readouterr().out
    rows = list(csv.reader(out.read_text(encoding="utf-8").splitlines()))
    for person in ("ann", "ben"):
        filled = [*rows[:2], *([*row[: -len(FILLED)], "3", "2", "1", "1"] for row in rows[2:])]
        with (tmp_path / f"{person}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(filled)
    sheets = [str(tmp_path / "ann.csv"), str(tmp_path / "ben.csv")]
    assert main(["annotate", str(run.folder), "--read", *sheets]) == 0
    said = capsys.readouterr().out
    assert "3 cases, 2 people" in said
    assert "factual     Cohen's kappa 1.000  Fleiss' kappa 1.000" in said
    assert main(["annotate", str(run.folder)]) != 0
    assert "annotate needs --out FILE" in capsys.readouterr().err
