"""Runs with `--judge`: what can't work is said at once."""

from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import environment, run_pytest

CASES = ("-m", "raw and not appeal", "--task", "pw-025", "--agent", "oracle", "--no-shots")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--judge-arg", "a=b"), "--judge-arg: needs --judge"),
        (("--judge", "gpt-4.1"), "set OPENAI_API_KEY in the environment, or give --judge-arg api_base"),
        (("--judge", "nobody/knows"), "unknown model 'nobody/knows'"),
        (
            ("--judge", "openai/own", "--judge-arg", "api_base=http://127.0.0.1:9/v1", "--budget", "1"),
            "--budget: the price of model 'openai/own' is unknown; give --judge-arg input_cost_per_token=USD",
        ),
    ],
)
def test_what_cannot_work_is_said_at_once(tmp_path: Path, given: tuple[str, ...], told: str) -> None:
    done = run_pytest(*CASES, *given, f"--reports={tmp_path}/reports", env=environment(OPENAI_API_KEY=""))
    assert done.code == 4
    assert told in done.err
    assert not (tmp_path / "reports").exists()
