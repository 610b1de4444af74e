"""People on the board: a row for each, their agreement, and everybody's steps beside theirs."""

from collections.abc import Mapping, Sequence

import pytest

from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Suite, Timing
from longtrail.report.leaderboard.board import RunResults, SuiteBoard, boards
from longtrail.report.leaderboard.page import entry_counts, leaderboard
from tests.report.factory import PROVENANCE

ANA, BEN = (Contender(agent="human", options={"name": name}) for name in ("ana", "ben"))
ORACLE, AGENT = Contender(agent="oracle"), Contender(agent="webagent", model="openai/gpt-4.1")


def played(
    who: Contender, decisions: Sequence[str | None], steps: int, minutes: float = 0.0, suite: Suite = "shopping_admin"
) -> RunResults:
    """A run of this contender; None: the case is invalid."""
    return RunResults(f"{who.agent}-{who.options.get('name', '')}", [
        Result(
            case=Case(id=f"t{number}-raw-r0", suite=suite, task=f"t{number}", prompt="raw"),
            contender=who,
            provenance=PROVENANCE,
            outcome="invalid" if decision is None else "passed",
            reason="",
            metrics={"proven": Metric(value=1.0, reason=""), "answer": Metric(value=decision, reason="")},
            steps=steps + number,
            timing=Timing(person=60 * minutes),
        )
        for number, decision in enumerate(decisions)
    ])  # fmt: skip


@pytest.fixture(scope="module")
def board() -> SuiteBoard:
    runs = (
        played(ANA, ["DENY", "DENY", "APPROVE", "APPROVE"], 10, 3),
        played(BEN, ["DENY", "APPROVE", "APPROVE", None], 20, 5),
        played(ORACLE, ["DENY"] * 9, 5),
        played(AGENT, ["DENY"] * 2, 30),
    )
    return boards(runs)[0]


def test_each_person_has_a_row_apart_from_the_contenders(board: SuiteBoard) -> None:
    assert [(line.kind, line.title, line.subtitle) for line in board.lines] == [
        ("contender", "openai/gpt-4.1", "webagent · in-process"),
        ("person", "ana", "a person"),
        ("person", "ben", "a person"),
        ("oracle", "oracle", "reference solution · in-process"),
    ]
    assert board.lines[0].rank.place == 1
    assert {line.rank.place for line in board.references} == {None}
    assert entry_counts([board]) == "1 contender, 2 people and the oracle"


def test_kappa_over_the_cases_that_all_people_decided(board: SuiteBoard) -> None:
    """By hand: agreement (1 + 0 + 1) / 3, chance (3 / 6)^2 + (3 / 6)^2 = 1 / 2, so (2 / 3 - 1 / 2) / (1 / 2)."""
    assert board.people.decided == (("DENY", "DENY"), ("DENY", "APPROVE"), ("APPROVE", "APPROVE"))
    assert board.people.kappa == pytest.approx(1 / 3)


def test_one_person_agrees_with_nobody() -> None:
    for runs in ([played(ANA, ["DENY"], 1)], [played(ANA, ["DENY"], 1), played(BEN, [None], 1)]):
        assert boards(runs)[0].people.kappa is None


def test_steps_beside_those_of_the_people(board: SuiteBoard) -> None:
    beside = {one.line.title: (one.cases, one.steps, one.people, one.minutes) for one in board.people.beside}
    both = (15 + 16 + 17 + 13) / 4  # the last case was played by ana alone
    expected: Mapping[str, tuple[object, ...]] = {
        "openai/gpt-4.1": (2, 30.5, 15.5, None),
        "ana": (4, 11.5, both, 3.0),
        "ben": (3, 21.0, 16.0, 5.0),
        "oracle": (4, 6.5, both, None),
    }
    assert beside == expected


def test_the_page_says_it() -> None:
    hostile = Contender(agent="human", options={"name": "<b>eve</b>"})
    runs = [played(ANA, ["DENY", "APPROVE"], 10, 3), played(hostile, ["DENY", "APPROVE"], 12, 4)]
    page = leaderboard(runs)
    assert 'Agreement of 2 people on 2 decisions: Fleiss\' kappa <strong class="num">1.00</strong>' in page
    assert "(PATHWAYS, appendix B.2: 0.92)" in page
    assert "<b>eve" not in page
    assert "People, oracle and baselines" in page
    assert "Fleiss" not in leaderboard([played(AGENT, ["DENY"], 1)])
