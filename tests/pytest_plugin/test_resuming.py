"""A run that ended early is resumed, and has the results of a run that was never interrupted."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import UsageError
from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import CallLimits
from longtrail.llm.mock.server import MockServer
from longtrail.options.run_options import Options
from longtrail.options.value_forms import Shard
from longtrail.pytest_plugin.controller import create
from longtrail.pytest_plugin.resume import check_plan, other_software, reopen
from longtrail.records.trajectory import Contender
from longtrail.runs.checked import check_run
from longtrail.runs.manifest import write_manifest
from longtrail.runs.object_store import Mirror
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, seal
from longtrail.tasks.cases import Conditions
from tests.pytest_plugin.conftest import SAMPLE, Runs
from tests.pytest_plugin.pytest_process import environment, run_pytest

MODEL = "openai/scripted-finisher"
PRICES = ("--model-arg", "input_cost_per_token=0.001", "--model-arg", "output_cost_per_token=0.001")
TASKS = ("--task", "pw-025", "--task", "pw-055", "--task", "ikea_favorites")


def same_again(run: Run, reports: Path) -> Options:
    """The options of the command that resumes a run."""
    return Options.model_validate({**run.manifest.options, "reports": reports, "run": run.folder.name, "resume": True})


def comparable(run: Run) -> list[dict[str, object]]:
    """The results without times, attempts, discarded steps and the server's counts of cached tokens."""
    found = [result.model_copy(update={"attempt": 0, "discarded_steps": 0}) for result in run.results()]
    changing = {"seconds": True, "timing": True, "usage": {"cached_tokens"}}
    return [result.model_dump(mode="json", exclude=changing) for result in found]


@pytest.mark.thorough
def test_a_budget_ends_a_run_that_goes_on_with_more(tmp_path: Path) -> None:
    """Two workers share the budget. With a larger one, the rest is played once."""
    with MockServer() as server:
        model = ("--model", MODEL, "--model-arg", f"api_base={server.url}", *PRICES, f"--reports={tmp_path}")
        words = (*model, *TASKS, "-m", "long_context or (raw and not appeal)", "--lengths", "0", "--no-shots")
        env = environment(OPENAI_API_KEY="none")
        done = run_pytest(*words, "--run", "whole", env=env)
        assert done.code == 1, done.said[-3000:]
        whole = Run.open(tmp_path / "runs" / "whole")
        assert len(whole.results()) == 3
        assert {result.outcome for result in whole.results()} <= {"failed", "passed"}
        price = sum(result.usage.usd or 0.0 for result in whole.results())

        part = run_pytest(*words, "--run", "part", f"--budget={price / 2 + 1.1}", "-n", "2", env=env)
        assert part.code == 1, part.said[-3000:]
        run = Run.open(tmp_path / "runs" / "part")
        left = [result for result in run.results() if result.outcome == "invalid"]
        assert 0 < len(left) < 3
        assert {result.trouble.kind for result in left if result.trouble} == {"llm_budget"}
        assert all(len(run.episode_files(result.case.id)) == 1 for result in left), "not retried"
        assert CallBook(run.folder).spent <= price / 2 + 1.1
        assert "--resume=part" in part.out

        before = len(server.requests)
        more = same_again(run, tmp_path).model_copy(update={"limits": CallLimits(budget=0.01)})
        with pytest.raises(UsageError, match=r"--budget 0\.01: the run has spent \$"):
            reopen(run.folder, more)
        rest = run_pytest(*words, "--resume=part", f"--budget={price * 3}", env=env)
        assert rest.code == 1, rest.said[-3000:]
        assert len(server.requests) - before <= 2 * len(left), "no finished case is played again"
    assert comparable(run) == comparable(whole)


@pytest.fixture(scope="module")
def ended(runs: Runs, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A copy of a finished run."""
    reports = tmp_path_factory.mktemp("copied")
    return Run.open(shutil.copytree(runs.parallel.run.folder, reports / "runs" / "parallel"))


@pytest.mark.slow
def test_a_copy_is_downloaded_only_by_the_command_that_continues_it(ended: Run, tmp_path: Path) -> None:
    """Not by another command, and not while another process uses the run."""
    sent = Mirror(ended.folder, f"file://{tmp_path / 'kept'}")
    sent.push()
    folder = tmp_path / "reports" / "runs" / ended.folder.name
    options, mirror = same_again(ended, tmp_path / "reports"), Mirror(folder, f"file://{tmp_path / 'kept'}")
    with pytest.raises(UsageError, match="seed was 0 in that run and is 5 now"):
        reopen(folder, options.model_copy(update={"seed": 5}), mirror=mirror)
    assert not folder.exists()
    with pytest.raises(UsageError, match=r"there is no run here \(run.json is missing\)"):
        reopen(folder, options, mirror=Mirror(folder, f"file://{tmp_path / 'nothing'}"))
    folder.mkdir(parents=True)
    other = Run(folder)
    other.lock()
    with pytest.raises(UsageError, match="is in use by process"):
        reopen(folder, options, mirror=mirror)
    assert {path.name for path in folder.iterdir()} == {"lock", "controller"}
    other.close()
    run = reopen(folder, options, mirror=mirror)
    assert check_run(run).problems() == ()
    run.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 5}, "seed was 0 in that run and is 5 now"),
        ({"observation_tokens": 900}, "observation_tokens was 8000 in that run and is 900 now"),
        ({"conditions": Conditions(lengths=(0,), relocated=False, repeats=2)}, "conditions was"),
        ({"contenders": ()}, "contenders was"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_another_command_is_refused(ended: Run, change: dict[str, Any], words: str) -> None:
    before = ended.results_file.read_bytes()
    same = same_again(ended, ended.folder.parents[1])
    reopen(ended.folder, same).close()
    with pytest.raises(UsageError, match=words):
        reopen(ended.folder, same.model_copy(update=change))
    assert ended.results_file.read_bytes() == before


def test_another_choice_of_cases_is_refused(ended: Run) -> None:
    check_plan(ended, ended.manifest.cases)
    check_plan(ended, ended.manifest.cases[::-1])
    for cases in (ended.manifest.cases[1:], (*ended.manifest.cases, "pw-014-raw-r0")):
        with pytest.raises(UsageError, match="use the same -m, -k and paths as before"):
            check_plan(ended, cases)


def begun(reports: Path, shard: Shard | None = None, cases: tuple[str, ...] = (), **fields: Any) -> tuple[Run, Options]:
    """A run that has played nothing, and the options that continue it. `fields`: those of its manifest."""
    options = Options(contenders=(Contender(agent="oracle"),), reports=reports, shard=shard)
    run = create(reports / "runs" / "night", options)
    run.close()
    write_manifest(run.folder, run.manifest.model_copy(update={"cases": cases, **fields}))
    return run, options.model_copy(update={"resume": True})


OTHER = [
    ({"code": "0123456789ab"}, "code was 0123456789ab in that run"),
    ({"tokenizer": "none"}, "tokenizer was none in that run and is cl100k_base now"),
    ({"packages": {}}, "package litellm was None in that run"),
]


@pytest.mark.parametrize(("fields", "told"), OTHER, ids=[told.partition(" was")[0] for _, told in OTHER])
def test_a_shard_is_continued_only_with_the_same_software(tmp_path: Path, fields: dict[str, Any], told: str) -> None:
    """Merging compares what run.json says, which is what the first session had."""
    run, options = begun(tmp_path / "other", Shard(number=1, of=2), **fields)
    with pytest.raises(UsageError, match=told):
        reopen(run.folder, options)
    run, options = begun(tmp_path / "alone", **fields)
    reopen(run.folder, options).close()
    (line,) = other_software(run)
    assert told in line
    run, options = begun(tmp_path / "shard", Shard(number=1, of=2))
    reopen(run.folder, options).close()
    assert other_software(run) == ()


def test_a_run_with_another_code_goes_on_and_says_so(ended: Run, tmp_path: Path) -> None:
    reports = tmp_path / "reports"
    run = Run.open(shutil.copytree(ended.folder, reports / "runs" / "parallel"))
    write_manifest(run.folder, run.manifest.model_copy(update={"code": "0123456789ab"}))
    (run.folder / NAME).unlink()
    seal(run)
    done = run_pytest("-q", *SAMPLE, f"--reports={reports}", "--resume=parallel")
    assert done.code == 0, done.said[-3000:]
    assert "other software than the run's first session: code was 0123456789ab in that run" in done.out


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"started": "2026-01-01T00:00:00+00:00"}, "started is 2026-01-01T00:00:00"),
        ({"data": "0123456789ab"}, "data is 0123456789ab"),
        ({"cases": ("one", "three")}, "has 2 cases"),
    ],
    ids=["started", "data", "cases"],
)
def test_another_run_of_this_name_at_the_address_is_not_mixed_in(
    tmp_path: Path, fields: dict[str, Any], told: str
) -> None:
    """Not a single episode is in both."""
    address = f"file://{tmp_path / 'kept'}"
    here, options = begun(tmp_path / "here", cases=("one", "two"), started="2026-02-02T00:00:00+00:00")
    mirror = Mirror(here.folder, address)
    reopen(here.folder, options, mirror=mirror).close()  # no copy was sent yet
    mirror.push()
    write_manifest(here.folder, here.manifest.model_copy(update={"cases": ()}))
    reopen(here.folder, options, mirror=mirror).close()  # lost before its cases were recorded
    write_manifest(here.folder, here.manifest.model_copy(update={"cases": ("one", "two")}))
    other = tmp_path / "other" / "night"
    shutil.copytree(here.folder, other)
    write_manifest(other, here.manifest.model_copy(update=fields))
    (other / "episodes" / "three.a0.json").write_text("{}")
    Mirror(other, address).push()
    with pytest.raises(UsageError, match=rf"runs/night is another run than the one in .*: {told}"):
        reopen(here.folder, options, mirror=mirror)
    assert not list((here.folder / "episodes").iterdir())
