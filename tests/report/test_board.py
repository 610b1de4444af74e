"""Board: which run a line comes from, who is a baseline, what the scaled score is, ranks, and people."""

from collections.abc import Mapping, Sequence

import pytest

from longtrail.agents.spec import AgentSpec
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Suite, Timing, Trouble
from longtrail.report.leaderboard.board import RunResults, SuiteBoard, boards
from longtrail.report.leaderboard.board_row import Rank, ranks
from longtrail.report.leaderboard.page import entry_counts, leaderboard, overview
from longtrail.runs.checked import LOST
from tests.report.factory import CONTENDERS, LONG_TASKS, PROVENANCE, SHOP, decisions, long_context, runs


def of(label: str, results: list[Result]) -> list[Result]:
    return [result for result in results if result.contender.label == label]


def test_a_line_comes_from_the_newest_complete_run() -> None:
    """Also if it has fewer repeats or tasks; but a run of one of many tasks, or an interrupted one, replaces none."""
    full = of("irag / openai/gpt-4.1", list(long_context(2, LONG_TASKS[:4])))
    once = [result for result in full if result.case.repeat == 0]
    two = [result for result in once if result.case.task != LONG_TASKS[0]]
    one = [result for result in full if result.case.task == LONG_TASKS[0]]
    runs = {"begun": full, "old": full, "once": once, "two": two, "again": one[:2], "ended": full}
    (board,) = boards([RunResults(name, run, missing=name in ("begun", "ended")) for name, run in runs.items()])
    assert [line.run for line in board.lines] == ["two"]
    assert [line.run for line in board.older] == ["begun", "old", "once", "again", "ended"]


def test_cases_that_were_not_played_do_not_count() -> None:
    full = of("irag / openai/gpt-4.1", list(long_context(1, LONG_TASKS[:3])))
    trouble = Trouble(kind="storage", message=LOST)
    lost = [result.model_copy(update={"outcome": "invalid", "trouble": trouble}) for result in full]
    assert boards([RunResults("refused", lost, missing=len(lost)).played]) == ()
    (board,) = boards([RunResults("ended", [*full[:8], *lost[8:]], missing=len(lost) - 8).played])
    assert board.lines[0].row.cases == 8


def test_contenders_first_then_oracle_then_baselines() -> None:
    board = boards(runs())[0]
    assert [line.kind for line in board.lines] == ["contender"] * 5 + ["oracle", "baseline", "baseline"]
    scores = [line.score for line in board.of("contender")]
    assert scores == sorted(scores, reverse=True)
    assert AgentSpec.parse("my_package.agent:make").role == "contender"


def test_scaled_between_best_trivial_baseline_and_oracle() -> None:
    results = list(decisions("shopping_admin", SHOP[:2]))
    (board,) = boards([RunResults("run", results)])
    for line in board.lines:
        assert line.normalised is not None
        assert abs(line.normalised - line.score) < 1e-12  # here trivial baselines score 0 and the oracle 1
    alone = [result for result in results if result.contender.agent != "oracle"]
    assert {line.normalised for line in boards([RunResults("run", alone)])[0].lines} == {None}


def test_lines_of_other_data_are_marked() -> None:
    results = list(long_context(1, LONG_TASKS[:2]))
    other = [
        result.model_copy(update={"provenance": result.provenance.model_copy(update={"data": "000000000000"})})
        for result in of("nothing", results)
    ]
    rest = [result for result in results if result.contender.agent != "nothing"]
    (board,) = boards([RunResults("a", rest), RunResults("b", other)])
    assert board.mixed
    assert [line.title for line in board.lines if line.foreign] == ["nothing"]


def test_the_live_web_has_lines_of_its_own() -> None:
    """However many cases a live run has, it replaces no embedded one, and it has no scaled score."""
    results = list(long_context(1, LONG_TASKS[:3]))
    live = [
        result.model_copy(update={"provenance": result.provenance.model_copy(update={"web": "live"})})
        for result in of("irag / openai/gpt-4.1", results)
    ]
    (board,) = boards([RunResults("embedded", results), RunResults("live", live)])
    mine = [line for line in board.lines if line.title == "openai/gpt-4.1" and "irag" in line.subtitle]
    assert sorted((line.run, line.foreign, "live web" in line.subtitle) for line in mine) == [
        ("embedded", False, False),
        ("live", True, True),
    ]
    assert [line.normalised is None for line in mine if line.run == "live"] == [True]
    assert len(overview([board])) == len({line.row.contender.label for line in board.lines}) + 1


def test_other_settings_make_another_line_without_a_rank() -> None:
    """The oracle on `--observation text` does not replace the one on the default, however many cases it has."""
    results = list(long_context(1, LONG_TASKS[:3]))
    again = of("oracle", results) + of("irag / openai/gpt-4.1", results)
    text = RunResults("text", again, settings=("--observation text",))
    (board,) = boards([RunResults("usual", results), text])
    mine = [(line.run, line.foreign) for line in board.lines if line.title == "oracle"]
    assert sorted(mine) == [("text", True), ("usual", False)]
    rivals = {line.run: line.rank.place for line in board.of("contender") if "irag" in line.subtitle}
    assert rivals["text"] is None
    assert rivals["usual"]
    assert any("observation text" in line.subtitle for line in board.lines)


def test_the_band_of_the_trivial_is_that_of_the_best_baseline() -> None:
    (board,) = boards([RunResults("run", list(decisions("shopping_admin", SHOP[:2])))])
    assert board.trivial == max((line.row.headline for line in board.of("baseline")), key=lambda rate: rate.mean)
    assert boards([RunResults("run", of("oracle", list(long_context(1, LONG_TASKS[:1]))))])[0].trivial is None


def test_overview_has_every_contender_once() -> None:
    glances = overview(boards(runs()))
    assert len(glances) == len(CONTENDERS)
    assert all(set(glance.lines) == {"long_context", "shopping_admin", "reddit"} for glance in glances)
    unknown = next(glance for glance in glances if "Qwen" in glance.first.title)
    assert unknown.usage.usd is None


def test_paper_lines_stand_for_each_prompt() -> None:
    board = boards(runs())[1]
    line = board.of("oracle")[0]
    assert [part.prompt for part in line.paper] == ["raw", "hint", "explicit"]
    assert all(part.table1 == 1.0 and part.values["paper_proven"] == 1.0 for part in line.paper)


def test_two_of_one_name_are_told_apart() -> None:
    results = [r for r in long_context(1, LONG_TASKS[:1]) if r.contender.agent == "constant"]
    changed = [
        r.model_copy(update={"contender": r.contender.model_copy(update={"options": {"decision": "DENY"}})})
        for r in results
    ]
    (board,) = boards([RunResults("run", [*results, *changed])])
    assert sorted(line.subtitle for line in board.lines) == [
        "baseline · in-process",
        "baseline · in-process · decision=DENY",
    ]


def test_no_runs_no_boards() -> None:
    assert boards([]) == ()
    assert boards([RunResults("empty", [])]) == ()
    assert overview(()) == ()


def test_contenders_are_ranked_among_those_of_their_own_setting() -> None:
    plain = list(long_context(1, LONG_TASKS[:3]))
    other = [one.model_copy(update={"case": one.case.model_copy(update={"needle": "last"})}) for one in plain]
    (board,) = boards([RunResults("plain", plain), RunResults("last", other)])
    mine = board.of("contender")
    assert len(mine) == 10
    assert [line.row.setting for line in mine] == [""] * 5 + ["needle last"] * 5
    assert [line.rank.place for line in mine[:5]] == [line.rank.place for line in mine[5:]]
    assert all("needle last" in line.subtitle for line in mine[5:])
    assert not any(line.rank.note for line in mine)


def test_the_crowd_is_counted_by_kind() -> None:
    everybody = runs()
    assert entry_counts(boards(everybody)).endswith(" contenders, the oracle and 2 baselines")
    only = [
        RunResults("one", [result for run in everybody for result in run.results if result.contender.agent == "oracle"])
    ]
    assert entry_counts(boards(only)) == "the oracle"
    assert entry_counts(()) == ""


A, B, EASY, HARD = "a 0  0", "b 0  0", "easy 0  0", "hard 0  0"


@pytest.mark.parametrize(
    ("rows", "foreign", "missing", "expected"),
    [
        (
            [{A: 0.0, B: 1.0}, {A: 1.0, B: 1.0}, {A: 1.0, B: 0.0}],
            [False] * 3,
            [0] * 3,
            [Rank(2, 2, 0.5), Rank(1, 2, 1.0), Rank(2, 2, 0.5)],
        ),
        # a contender that ran only one easy case is compared by that case
        (
            [{EASY: 1.0}, {EASY: 1.0, HARD: 0.0}],
            [False] * 2,
            [0] * 2,
            [Rank(1, 1, 1.0, "other cases"), Rank(1, 1, 1.0)],
        ),
        ([{A: 1.0}, {B: 1.0}], [False, True], [0] * 2, [Rank(1, 1, 1.0), Rank(None, 1, None, "other data")]),
        ([{A: 1.0}, {B: 1.0}], [False] * 2, [0] * 2, [Rank(note="other cases")] * 2),  # nothing in common
        ([{A: 1.0}, {A: 0.0}], [False] * 2, [3, 0], [Rank(1, 1, 1.0, "incomplete"), Rank(2, 1, 0.0)]),
        ([], [], [], []),
        ([{}], [False], [0], [Rank()]),
    ],
)
def test_only_comparable_cases_are_ranked(
    rows: list[dict[str, float]], foreign: list[bool], missing: list[int], expected: list[Rank]
) -> None:
    assert list(ranks(rows, foreign=foreign, missing=missing, changed=[0] * len(rows))) == expected


ANA, BEN = (Contender(agent="human", options={"name": name}) for name in ("ana", "ben"))
ORACLE, AGENT = Contender(agent="oracle"), Contender(agent="webagent", model="openai/gpt-4.1")


def by_person(
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
def people_board() -> SuiteBoard:
    runs = (
        by_person(ANA, ["DENY", "DENY", "APPROVE", "APPROVE"], 10, 3),
        by_person(BEN, ["DENY", "APPROVE", "APPROVE", None], 20, 5),
        by_person(ORACLE, ["DENY"] * 9, 5),
        by_person(AGENT, ["DENY"] * 2, 30),
    )
    return boards(runs)[0]


def test_each_person_has_a_row_apart_from_the_contenders(people_board: SuiteBoard) -> None:
    assert [(line.kind, line.title, line.subtitle) for line in people_board.lines] == [
        ("contender", "openai/gpt-4.1", "webagent · in-process"),
        ("person", "ana", "a person"),
        ("person", "ben", "a person"),
        ("oracle", "oracle", "reference solution · in-process"),
    ]
    assert people_board.lines[0].rank.place == 1
    assert {line.rank.place for line in people_board.references} == {None}
    assert entry_counts([people_board]) == "1 contender, 2 people and the oracle"


def test_kappa_over_the_cases_that_all_people_decided(people_board: SuiteBoard) -> None:
    """By hand: agreement (1 + 0 + 1) / 3, chance (3 / 6)^2 + (3 / 6)^2 = 1 / 2, so (2 / 3 - 1 / 2) / (1 / 2)."""
    assert people_board.people.decided == (("DENY", "DENY"), ("DENY", "APPROVE"), ("APPROVE", "APPROVE"))
    assert people_board.people.kappa == pytest.approx(1 / 3)


def test_one_person_agrees_with_nobody() -> None:
    for alone in ([by_person(ANA, ["DENY"], 1)], [by_person(ANA, ["DENY"], 1), by_person(BEN, [None], 1)]):
        assert boards(alone)[0].people.kappa is None


def test_steps_beside_those_of_the_people(people_board: SuiteBoard) -> None:
    beside = {one.line.title: (one.cases, one.steps, one.people, one.minutes) for one in people_board.people.beside}
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
    runs = [by_person(ANA, ["DENY", "APPROVE"], 10, 3), by_person(hostile, ["DENY", "APPROVE"], 12, 4)]
    page = leaderboard(runs)
    assert 'Agreement of 2 people on 2 decisions: Fleiss\' kappa <strong class="num">1.00</strong>' in page
    assert "(PATHWAYS, appendix B.2: 0.92)" in page
    assert "<b>eve" not in page
    assert "People, oracle and baselines" in page
    assert "Fleiss" not in leaderboard([by_person(AGENT, ["DENY"], 1)])
