"""A run recorded with two workers is replayed by one, without server, key or network, with the same results."""

import json
from pathlib import Path

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import environment, run_pytest
from tests.pytest_plugin.test_whole_runs import outcomes

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
