"""A Ray cluster that requires a token: runs with the token are played, others end with one line.

python -m pytest tests/pytest_plugin/remote/test_ray_token.py --all      # needs pip install 'longtrail[ray]'
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from longtrail.browser.launcher import find_chromium
from tests.pytest_plugin.pytest_process import environment
from tests.pytest_plugin.remote.ray_machines import alone


@pytest.mark.thorough
def test_a_cluster_with_a_token_lets_in_who_has_it(project: Path, tmp_path: Path) -> None:
    """`ray start` requires the token that it finds in the user's folder."""
    pytest.importorskip("ray")
    home, stranger = tmp_path / "home", tmp_path / "stranger"
    (home / ".ray").mkdir(parents=True)
    stranger.mkdir()
    (home / ".ray" / "auth_token").write_text("a1" * 32)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    browser = {"LONGTRAIL_CHROMIUM": str(find_chromium())}
    start = [
        sys.executable,
        "-m",
        "ray.scripts.scripts",
        "start",
        "--head",
        "--block",
        f"--port={port}",
        "--num-cpus=1",
    ]
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:  # short: for sockets
        start += ["--include-dashboard=false", "--disable-usage-stats", f"--temp-dir={folder}"]
        environ = environment(HOME=str(home), **browser)
        with subprocess.Popen(start, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True) as head:
            try:
                assert head.stdout is not None
                address = next(line for line in head.stdout if "--address=" in line).split("'")[1]
                words = ("-q", "--task", "pw-001", "-k", "raw", "--no-shots", "--ray", address, "--run")
                done = alone(
                    "benchmark_tests", *words, "let-in", cwd=project, HOME=str(home), RAY_AUTH_MODE="token", **browser
                )
                refused = alone("benchmark_tests", *words, "unknown", cwd=project, HOME=str(stranger), **browser)
            finally:
                os.killpg(head.pid, signal.SIGTERM)
    assert done.code == 0, done.said[-3000:]
    assert refused.code == 4, refused.said[-3000:]
    assert "if it requires a token, set RAY_AUTH_MODE=token" in refused.said
    assert "gcs_client" not in refused.said
    assert not (project / "reports" / "runs" / "unknown").exists()
