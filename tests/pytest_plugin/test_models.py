"""Runs with models: several in one run, estimates, recorded calls, and servers that refuse a key or a message."""

import json
from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.prompt_files import fingerprint
from longtrail.llm.mock.server import MockServer
from longtrail.pytest_plugin.preflight import system_problem
from longtrail.records.result import Result
from longtrail.report.terminal import mixed_models
from longtrail.runs.store import Run
from tests.pytest_plugin.conftest import SIX, Runs
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest
from tests.pytest_plugin.test_whole_runs import outcomes

MODELS = ("openai/scripted-careful", "openai/scripted-finisher")


@pytest.mark.thorough
def test_several_models_in_one_run_under_a_profile(runs: Runs) -> None:
    models = [part for model in MODELS for part in ("--model", model)]
    with MockServer() as server:
        made = runs.made(
            "models",
            *(*models, "--model-arg", f"api_base={server.url}", "--agent", "audit", "--profile", "pathways"),
            *("-m", "raw and not appeal", "--task", "pw-025", "--no-shots", "-n", "1"),
        )
    run, done = made.run, made.done
    assert done.code in (0, 1), done.said[-3000:]
    bodies = [asked.body for asked in server.requests if asked.body["max_tokens"] > 1]  # one token: the system probe
    assert len(server.requests) == len(bodies) + len(MODELS)
    assert {body["max_tokens"] for body in bodies} == {1024}
    assert {body["temperature"] for body in bodies} == {0.0}
    assert {result.contender.model for result in run.results()} == set(MODELS)
    assert not any(result.outcome == "invalid" for result in run.results())
    page = (run.folder.parents[1] / "leaderboard.html").read_text(encoding="utf-8")
    for model in MODELS:
        assert model in page
        assert f"audit / {model}"[:34] in done.out, "both have a row in the terminal's table"
    for episode in run.episodes():
        assert episode.contender.profile == "pathways"
        assert episode.contender.prompts == fingerprint("audit", "pathways")
        assert "(clickable, visible)" in episode.steps[0].observation.text
        assert not any(step.reflection for step in episode.steps)
        assert episode.steps[-1].usage.calls > 1, "the ending was audited"
    imported = {process: "litellm" in heavy for process, heavy in made.imported.items()}
    assert imported == {"main": True, "gw0": False}, "one process makes the calls of all workers"


def test_a_server_that_drops_the_system_message_stops_the_run(runs: Runs) -> None:
    with MockServer() as server:
        server.sample = (200, {}, {"choices": [], "usage": {"prompt_tokens": 14}})
        done = run_pytest(
            *("--task", "pw-025", "-m", "raw", "--model", "openai/my-model", f"--reports={runs.folder / 'dropped'}"),
            *("--model-arg", f"api_base={server.url}"),
            env=environment(OPENAI_API_KEY="none"),
        )
    assert done.code == 4, done.said[-3000:]
    assert "drops the system message: give --model-arg system=user" in done.said


def test_an_estimate_runs_nothing_and_writes_nothing(runs: Runs) -> None:
    reports = runs.folder / "estimated"
    done = run_pytest(
        *("-m", "long_context", "--model", "gpt-4.1", "--estimate", "--lengths", "0,25k,150k", "-n", "2"),
        *("--rpm", "10", "--budget", "1", f"--reports={reports}"),
        env=environment(OPENAI_API_KEY="none", LONGTRAIL_CHROMIUM="/nowhere"),
    )
    assert done.code == 0, done.said[-3000:]
    assert "Cost: about $" in done.out
    assert "under --rpm 10" in done.out
    assert "The budget of $1.00 will end the run early." in done.out
    assert "2 workers" in done.out
    assert not reports.exists()


@pytest.mark.thorough
def test_a_run_whose_server_changed_the_model_is_told(runs: Runs) -> None:
    """No single result shows it: the results of the whole run are compared."""

    def answered(by: str, result: Result) -> Result:
        contender = result.contender.model_copy(update={"agent": "webagent", "model": "gpt-4.1"})
        provenance = result.provenance.model_copy(update={"model_reported": by})
        return result.model_copy(update={"contender": contender, "provenance": provenance})

    played = runs.parallel.run.results()
    assert mixed_models(played) == ()
    assert mixed_models(answered("gpt-4.1-2025-04-14", result) for result in played) == ()
    (line,) = mixed_models(answered(f"gpt-4.1-2025-04-{day}", result) for day, result in enumerate(played[:2], 14))
    assert line.startswith("webagent / gpt-4.1: the server ran several models in this run: gpt-4.1-2025-04-14, gpt")


MINE = "openai/my-model"


def problem(body: dict[str, Any], status: int = 200, **args: object) -> str:
    with MockServer() as server:
        server.sample = (status, {}, body)
        return system_problem(MINE, {"api_base": server.url, **args})


def read(tokens: object) -> dict[str, Any]:
    return {"choices": [], "usage": {"prompt_tokens": tokens}}


def test_a_dropped_system_message_is_told() -> None:
    advice = "the system message: give --model-arg system=user"
    assert problem(read(14)) == f"the server of model 'openai/my-model' drops {advice}"
    refused = {"error": {"message": "System role not supported"}}
    assert problem(refused, 500) == f"the server of model 'openai/my-model' refuses {advice}"


def test_an_address_without_a_chat_is_told_although_its_status_is_200() -> None:
    error = "Unexpected endpoint or method. (POST /chat/completions)"
    with MockServer() as server:
        server.sample = (200, {}, {"error": error})
        address = server.url.removesuffix("/v1")
        told = f"--model-arg api_base={address}: the server has no chat there ({error}); most servers want {address}/v1"
        assert system_problem(MINE, {"api_base": address}) == told


@pytest.mark.parametrize("body", [read(600), read(0), read(None), {"choices": []}, {"usage": None}])
def test_others_are_not(body: dict[str, Any]) -> None:
    assert problem(body) == ""


def test_no_call_repeats_the_one_before() -> None:
    """Servers that count only the tokens that they do not still have would seem to drop the message."""
    with MockServer() as server:
        for _ in range(2):
            assert system_problem("openai/scripted-careful", {"api_base": server.url}) == "", "it reads the message"
        first, second = (request.body["messages"][0]["content"] for request in server.requests)
    assert first != second


def test_who_is_not_asked() -> None:
    assert problem(read(14), system="user") == ""
    assert system_problem(MINE, {"api_base": "https://api.example.com/v1"}) == ""
    assert system_problem(MINE, {"api_base": "http://127.0.0.1:9/v1"}) == "", "what is not there is told by the run"


KEY = "sk-canary-of-the-recorded-run"


@pytest.mark.thorough
def test_replay_gives_the_same_results_without_a_model(tmp_path: Path) -> None:
    """One exchange is removed: its case is invalid and says what is missing; no other case changes."""
    tape, watched = tmp_path / "tape", tmp_path / "watched"
    with MockServer() as server:
        model = ("--model", "openai/scripted-careful", "--model-arg", f"api_base={server.url}")
        cases = ("-m", "long_context or (raw and not appeal)", "--task", "ikea_favorites", "--task", "pw-025")
        args = (*model, *cases, "--lengths", "0", "--no-shots", f"--reports={tmp_path}/reports")
        env = environment(OPENAI_API_KEY=KEY)
        recorded = run_pytest(*args, "-n", "2", "--run", "recorded", f"--record={tape}", env=env)
        asked = len(server.requests)
    assert recorded.code in (0, 1), recorded.said[-3000:]
    exchanges = {path: path.read_text(encoding="utf-8") for path in sorted(tape.glob("*/*.json"))}
    assert 10 < len(exchanges) <= asked
    assert not any(KEY in path.read_text(encoding="utf-8") for path in tape.rglob("*.json"))
    gone = next(path for path, text in exchanges.items() if "Decisions: APPROVE" in text)
    gone.rename(gone.with_name("0" * 20 + ".json"))
    assert json.loads(exchanges[gone])["reply"]["model"] == "scripted-careful"

    replay = ("-p", "tests.pytest_plugin.watching", "--run", "replayed", f"--replay={tape}")
    replayed = run_pytest(*args, *replay, env=environment(WATCHING=str(watched), WATCHING_SEALED="yes"))
    assert replayed.code == 1, replayed.said[-3000:]
    told = json.loads((watched / "main.json").read_text())
    assert told["tried"] == [], "nobody tries the blocked network"
    assert "litellm" not in told["imported"], "nobody could call a model"
    first, second = (Run.open(tmp_path / "reports" / "runs" / name) for name in ("recorded", "replayed"))
    broken = {result.case.id: result.trouble for result in second.results() if result.trouble}
    assert set(broken) == {"pw-025-raw-r0"}
    assert broken["pw-025-raw-r0"].kind == "cassette_miss"
    assert "the nearest exchange" in broken["pw-025-raw-r0"].message
    whole = [[result for result in outcomes(run) if result["case"]["id"] not in broken] for run in (first, second)]  # type: ignore[index]
    assert whole[0] == whole[1]
    times = [{r.case.id: r.timing.model for r in run.results() if r.case.id not in broken} for run in (first, second)]
    assert times[0] == times[1], "replayed calls count with their recorded times"


GOOD, REFUSED = "openai/scripted-finisher", "openai/scripted-finisher@unauthorized"
SECRET = "sk-canary-of-the-stopping-test"
TWO_TASKS = ("--task", "pw-025", "--task", "pw-055", "-m", "raw and not appeal")


def stopped(done: Done) -> None:
    """The run ended with one line, which doesn't show the key."""
    assert done.code == 4, done.said[-3000:]
    lines = [line for line in done.said.splitlines() if "refused the key (HTTP 401)" in line]
    assert len(lines) == 1, done.said[-3000:]
    assert SECRET not in done.said
    assert "Traceback" not in done.said


def refusals(server: MockServer) -> list[dict[str, Any]]:
    """The calls that were refused, without the probe before the run, which asks for one token."""
    return [asked.body for asked in server.requests if asked.fault and asked.body["max_tokens"] > 1]


@pytest.mark.thorough
def test_a_refused_key_ends_the_run_in_every_worker(tmp_path: Path) -> None:
    models = ("--model", REFUSED, "--model", GOOD)
    with MockServer() as server:
        api = ("--model-arg", f"api_base={server.url}", *SIX)
        env = environment(OPENAI_API_KEY=SECRET)
        done = run_pytest(*models, *api, "-n", "2", f"--reports={tmp_path}", "--run", "mine", env=env)
        refused = refusals(server)
    stopped(done)
    assert len(refused) <= 2, "each further case would be refused, too"
    run = Run.open(tmp_path / "runs" / "mine")
    assert len(run.manifest.cases) == 12
    assert len(run.missing()) >= 3, "both workers stop at their next case"


@pytest.mark.thorough
def test_what_was_recorded_before_stays(tmp_path: Path) -> None:
    models = ("--model", GOOD, "--model", REFUSED)
    with MockServer() as server:
        api = ("--model-arg", f"api_base={server.url}", "--no-shots", *TWO_TASKS)
        env = environment(OPENAI_API_KEY=SECRET)
        done = run_pytest(*models, *api, f"--reports={tmp_path}", "--run", "mine", env=env)
        refused = refusals(server)
    stopped(done)
    assert len(refused) == 1
    run = Run.open(tmp_path / "runs" / "mine")
    recorded = sorted((str(result.contender.model), result.outcome) for result in run.results())
    assert recorded == [(GOOD, "failed"), (GOOD, "failed"), (REFUSED, "invalid")]
    assert {result.trouble.kind for result in run.results() if result.trouble} == {"cancelled"}
    assert len(run.missing()) == 1
    assert (tmp_path / "leaderboard.html").exists()
