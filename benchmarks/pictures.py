"""Pictures: plays the runs behind README's picture, and takes it.

    python -m benchmarks.pictures [REPORTS [TASKS]]

Three agents that err on purpose (`erring_agents`), the oracle, two baselines and the scripted model play the same
sample of TASKS tasks of both suites (default: 15, about half an hour); then one of the agents plays it again, changed
for the worse, and is gated by its earlier run. All of it stays in REPORTS (default: reports/pictures); a run that is
there already is not played again. The picture is written to docs/.
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
WIDTH, HEIGHT = 1180, 1500
"""Of README's picture, in CSS pixels."""


def play(reports: Path, run: str, tasks: str, *options: str, **environment: str) -> None:
    """One session, unless its run is there. Failed cases are what it is for, so its exit code says nothing."""
    if (reports / "runs" / run / "results.jsonl").is_file():
        return
    session = f"-m pytest -q -n 2 -p no:cacheprovider --sample {tasks} --run {run}"
    command = [sys.executable, *session.split(), "-m", CASES, f"--reports={reports}", *options]
    known = {**os.environ, "PYTHONPATH": str(ROOT / "benchmarks"), **environment}
    subprocess.run(command, cwd=ROOT, env=known, check=False)


def play_all(reports: Path, tasks: str) -> None:
    """Every run of the picture; the gated one last, so that its verdict stands on top."""
    erring = [part for name in AGENTS for part in ("--agent", f"erring_agents:{name}")]
    play(reports, "main", tasks, *erring, "--agent-arg", "vision=true")
    play(reports, "limits", tasks, "--agent", "oracle", "--agent", "surface", "--agent", "constant")
    with MockServer() as server:
        model = ("--model", "openai/scripted-careful", "--model-arg", f"api_base={server.url}")
        play(reports, "model", tasks, *model, OPENAI_API_KEY="none")
    gate = ("--baseline", "main", "--agent", "erring_agents:hasty", "--agent-arg", "vision=true")
    play(reports, "change", tasks, *gate, ERRING_AGENTS_HASTE="0.4")


def take(page: Path, picture: Path) -> None:
    """The upper part of a page, light, in a palette of 256 colours."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        tab = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        tab.goto(page.as_uri())
        shot = Image.open(BytesIO(tab.screenshot()))
        chromium.close()
    shot.quantize(256).save(picture, optimize=True)


def main() -> None:
    """Play what is missing, then take the picture."""
    reports = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "reports" / "pictures").resolve()
    play_all(reports, sys.argv[2] if len(sys.argv) > 2 else TASKS)
    take(reports / "leaderboard.html", ROOT / "docs" / "leaderboard.png")


if __name__ == "__main__":
    main()
