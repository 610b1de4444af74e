"""Runs with models: several in one run, under a profile; which process calls them; estimates."""

import pytest

from longtrail.agents.prompt_files import fingerprint
from longtrail.llm.mock.server import MockServer
from longtrail.records.result import Result
from longtrail.report.terminal import mixed_models
from tests.pytest_plugin.conftest import Runs
from tests.pytest_plugin.pytest_process import environment, run_pytest

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
