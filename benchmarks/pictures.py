"""Pictures: plays the runs behind README's pictures, and takes them.

    python -m benchmarks.pictures [REPORTS [TASKS]]

Three agents that err on purpose (`erring_agents`), the oracle, two baselines and the scripted model play the same
sample of TASKS tasks of both suites (default: 15, about half an hour); then a worse version of one of the
agents plays it again, and the gate compares this run with the earlier one. All runs stay in REPORTS
(default: reports/pictures); a run that is there already is not played again. The pictures are written to docs/.
"""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from longtrail.browser.launcher import find_chromium
from longtrail.llm.mock.server import MockServer

ROOT = Path(__file__).parents[1]
CASES = "not crossed and not discovered and (noise_0 or noise_25k or pathways)"
TASKS = "15"
AGENTS = ("steady", "hasty", "forgetful")
WIDTH, TALL, LOW = 1180, 1500, 1000
"""Of the pictures, in CSS pixels."""


def play(reports: Path, run: str, tasks: str, *options: str, **environment: str) -> None:
    """One session, unless its run is there. Failed cases are what it is for, so its exit code says nothing."""
    if (reports / "runs" / run / "results.jsonl").is_file():
        return
    session = f"-m pytest -q -n 2 -p no:cacheprovider --sample {tasks} --run {run}"
    command = [sys.executable, *session.split(), "-m", CASES, f"--reports={reports}", *options]
    known = {**os.environ, "PYTHONPATH": str(ROOT / "benchmarks"), **environment}
    subprocess.run(command, cwd=ROOT, env=known, check=False)


def play_all(reports: Path, tasks: str) -> None:
    """Every run of the pictures; the gated one last, so that its verdict stands on top."""
    erring = [part for name in AGENTS for part in ("--agent", f"erring_agents:{name}")]
    play(reports, "main", tasks, *erring, "--agent-arg", "vision=true")
    play(reports, "limits", tasks, "--agent", "oracle", "--agent", "surface", "--agent", "constant")
    with MockServer() as server:
        model = ("--model", "openai/scripted-careful", "--model-arg", f"api_base={server.url}")
        play(reports, "model", tasks, *model, OPENAI_API_KEY="none")
    gate = ("--baseline", "main", "--agent", "erring_agents:hasty", "--agent-arg", "vision=true")
    play(reports, "change", tasks, *gate, ERRING_AGENTS_HASTE="0.4")


def take(reports: Path, folder: Path) -> None:
    """The upper parts of the leaderboard and of the comparison that its last fallen figure leads to."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        tab = chromium.new_page(viewport={"width": WIDTH, "height": TALL}, color_scheme="light")
        tab.goto((reports / "leaderboard.html").as_uri())
        save(tab.screenshot(), folder / "leaderboard.png")
        tab.set_viewport_size({"width": WIDTH, "height": LOW})
        tab.locator("a.since.down").last.click()
        tab.locator("#flips .sides .step").first.wait_for()
        save(tab.screenshot(), folder / "comparison.png")
        chromium.close()


def save(shot: bytes, picture: Path) -> None:
    """A screenshot in a palette of 256 colours."""
    Image.open(BytesIO(shot)).quantize(256).save(picture, optimize=True)


def main() -> None:
    """Play what is missing, then take the pictures."""
    reports = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "reports" / "pictures").resolve()
    play_all(reports, sys.argv[2] if len(sys.argv) > 2 else TASKS)
    take(reports, ROOT / "docs")


if __name__ == "__main__":
    main()
