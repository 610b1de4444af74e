"""Shards: the same on every machine, of similar length, with whole units; merged, they are the run of one machine."""

import json
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import DataError, UsageError
from longtrail.llm.call_book import FILE as CALL_BOOK
from longtrail.llm.mock.server import MockServer
from longtrail.options.plan import unit_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.evaluation import divide, read_seconds
from longtrail.pytest_plugin.resume import reopen
from longtrail.records.case import LONG
from longtrail.runs.store import Run
from longtrail.runs.sums import chain_of
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.pytest_plugin.conftest import SAMPLE, Runs
from tests.pytest_plugin.pytest_process import environment, run_pytest

CASES = plan(load_tasks(), Conditions(lengths=(0, 25_000, 150_000), prompts=("raw",), repeats=2))
UNITS = {planned.case.id: unit_of(planned) for planned in CASES if planned.case.suite in LONG}


@pytest.mark.parametrize("count", [1, 2, 7, 64])
def test_every_case_is_in_one_shard_and_units_stay_whole(count: int) -> None:
    shards = divide(CASES, count, {})
    assert sum(map(len, shards)) == len(CASES)
    assert frozenset().union(*shards) == {planned.case.id for planned in CASES}
    assert all(shards)
    at = {case: number for number, shard in enumerate(shards) for case in shard}
    assert len({(unit, at[case]) for case, unit in UNITS.items()}) == len(set(UNITS.values()))


def test_the_same_plan_gives_the_same_shards_in_any_order() -> None:
    assert divide(CASES, 5, {}) == divide(CASES[::-1], 5, {})


def test_recorded_seconds_even_out_the_shards() -> None:
    """The units of one shard take a hundred times as long as the others. Units without recorded seconds are estimated
    from the recorded ones."""
    slow = set(divide(CASES, 4, {})[0])
    known = {case: 100.0 if case in slow else 1.0 for case in UNITS}

    def spread(seconds: dict[str, float]) -> float:
        loads = [sum(known.get(case, 0.0) for case in shard) for shard in divide(CASES, 4, seconds)]
        return max(loads) - min(loads)

    everything = known | {planned.case.id: 0.0 for planned in CASES if planned.case.id not in known}
    assert spread(everything) <= 400, "no more than the longest unit"
    assert spread(known) <= 400
    assert spread({}) > 4000


def test_too_many_shards_are_refused() -> None:
    few = [planned for planned in CASES if planned.task.id in ("ikea_favorites", "PW-025")]
    divide(few, 4, {})
    with pytest.raises(UsageError, match="5 shards are too many: the plan has units for 4"):
        divide(few, 5, {})


def test_seconds_are_read_from_results(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text('{"case":{"id":"a"},"seconds":1.5}\n{"case":{"id":"b"},"seconds":2}\n')
    assert read_seconds(file) == {"a": 1.5, "b": 2.0}
    file.write_text('{"case":{"id":"a"},"seconds":1.5}\n{"case":{}}\n')
    with pytest.raises(DataError, match="line 2: is not a result of a run"):
        read_seconds(file)


def without_times(run: Run) -> list[str]:
    """The lines of results.jsonl, without times."""
    lines = [json.loads(line) for line in run.results_file.read_bytes().splitlines()]
    return [json.dumps(line | {"seconds": 0, "timing": {}}) for line in lines]


@pytest.mark.thorough
def test_merged_shards_are_the_run_of_one_machine(
    runs: Runs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One shard is played in one process, one with workers."""
    whole = runs.parallel.run
    cases = f"{len(whole.manifest.cases)} cases"
    reports = tmp_path / "reports"
    for number, workers in ((1, ()), (2, ("-n", "2"))):
        shard = ("--shard", f"{number}/2", f"--balance={whole.results_file}", f"--reports={reports}", "--run=part")
        done = run_pytest(*shard, *SAMPLE, *workers)
        assert done.code == 0, done.said[-3000:]
        assert f"shard {number}/2 of {cases}" in done.out
        assert "were not run" not in done.out
    assert main(["merge", "part-2of2", "part-1of2", f"--reports={reports}"]) == 0
    assert f"{cases} of 2 parts in" in capsys.readouterr().out
    merged = Run.open(reports / "runs" / "part")
    assert without_times(merged) == without_times(whole)
    assert merged.manifest.cases == whole.manifest.cases
    assert merged.manifest.planned == whole.manifest.planned
    names = ("part-1of2", "part-2of2")
    assert merged.manifest.parts == {name: chain_of(Run.open(reports / "runs" / name)) for name in names}
    for part in ("shots", "traces"):
        assert len(list((merged.folder / part).iterdir())) == sum(
            len(list((reports / "runs" / name / part).iterdir())) for name in names
        )
    same = {**whole.manifest.options, "reports": reports, "run": "part", "resume": True}
    reopen(merged.folder, Options.model_validate(same)).close()  # with the command of the undivided run
    assert main(["rescore", str(merged.folder)]) == 0
    assert main(["report", "--reports", str(reports)]) == 0
    board = (reports / "leaderboard.html").read_text("utf-8")
    assert "part-1of2" not in board


@pytest.mark.thorough
def test_shards_that_called_a_model_are_merged_and_gated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each machine has a server of its own, as with one vLLM per node."""
    reports, model = tmp_path / "reports", ("--model", "openai/scripted-finisher")
    words = ("--task", "pw-025", "--task", "pw-055", "-m", "raw and not appeal", "--no-shots", *model)
    for number in (1, 2):
        with MockServer() as server:
            shard = ("--shard", f"{number}/2", "--run=part", f"--reports={reports}")
            base = ("--model-arg", f"api_base={server.url}")
            done = run_pytest(*words, *base, *shard, env=environment(OPENAI_API_KEY="none"))
        assert done.code == 1, done.said[-3000:]  # this model finishes at once
        assert len(server.requests) > 0
    books = [(reports / "runs" / f"part-{number}of2" / CALL_BOOK).read_bytes() for number in (1, 2)]
    assert books[0] != books[1]
    assert main(["merge", "part-1of2", "part-2of2", f"--reports={reports}"]) == 0, capsys.readouterr().err
    merged = Run.open(reports / "runs" / "part")
    assert [result.outcome for result in merged.results()] == ["failed", "failed"]
    assert len(list((merged.folder / "calls").iterdir())) == 2
    again = ["merge", "part-1of2", "part-2of2", f"--reports={reports}", "--into=again"]
    assert main([*again, f"--baseline={merged.folder}"]) == 0, capsys.readouterr()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["serial", "parallel"])
def test_too_many_shards_end_the_session_before_it_plays(tmp_path: Path, workers: tuple[str, ...]) -> None:
    words = ("--task", "pw-025", "-m", "raw and not appeal", "--shard", "1/2", "--run=part")
    done = run_pytest(*words, f"--reports={tmp_path}", *workers)
    assert done.code == 4, done.said[-3000:]
    assert "2 shards are too many" in done.said
    assert not (tmp_path / "runs").exists(), "nothing is written"
