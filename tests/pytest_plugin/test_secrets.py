"""Keys in the environment and on the command line: a run that crashes with all logging on writes none of them."""

import base64
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import environment, run_pytest

KEYS = {
    "OPENAI_API_KEY": "sk-canary/7+Qz=openai-3b27d1c4",
    "ANTHROPIC_API_KEY": "sk-ant-canary/8+Rw=anthropic-9d41",
    "MY_SERVICE_TOKEN": "canary-token-of-a-service-58e2a",
}
ARGUMENT = "canary-password-of-the-agent-77f1"


def spellings(secret: str) -> Iterator[bytes]:
    """Raw, URL-encoded, and in base64 at any offset."""
    yield secret.encode()
    yield quote(secret, safe="").encode()
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + secret.encode())
        yield coded[(0, 2, 3)[offset] : (offset + len(secret)) // 3 * 4]


@pytest.mark.thorough
def test_no_key_is_left_anywhere(tmp_path: Path) -> None:
    folder = tmp_path / "left"
    with MockServer(stand_in="scripted-finisher") as server:
        done = run_pytest(
            *("--agent", "tests.pytest_plugin.scripted_agents:crashing", "--agent-arg", f"password={ARGUMENT}"),
            *("--model", "openai/gpt-4o-mini", "--model-arg", f"api_base={server.url}"),
            *("--model", "openai/scripted-finisher@unauthorized:2"),
            *("-m", "raw and not appeal", "--task", "pw-025", "-vv", "-l", "--log-level=DEBUG"),
            *(f"--log-file={folder}/debug.log", "--log-file-level=DEBUG", f"--junitxml={folder}/junit.xml"),
            *(f"--reports={folder}", "--run", "mine", f"--record={folder}/tape", "-n", "1"),
            env=environment(**KEYS, LITELLM_LOG="DEBUG"),
        )
    assert done.code in (1, 4), done.said[-3000:]
    run = Run.open(folder / "runs" / "mine")
    troubles = [result.trouble.message for result in run.results() if result.trouble]
    assert any("RuntimeError: no answer from" in message or "refused the key" in message for message in troubles)
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert len(files) > 8
    files[Path("terminal")] = done.said.encode()
    for name, secret in {**KEYS, "password": ARGUMENT}.items():
        for spelling in spellings(secret):
            holding = [str(path) for path, data in files.items() if spelling in data]
            assert not holding, f"{name} as {spelling!r} is in {holding}"
