"""Site speed: how long the page of cases takes to open with many cases, and how large its files are; and how long it
takes to check a folder of unchanged runs.

    python -m benchmarks.site_speed [RUN]

The cases are those of a finished run (by default generated ones), repeated under other names until there are enough.
"""

import json
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from longtrail.browser.launcher import find_chromium
from longtrail.records.result import Result
from longtrail.report.run.page import run_files
from longtrail.report.run.view import RunView, view_run, view_runs
from longtrail.report.template_page import write
from longtrail.runs.checked import check_again, check_run
from longtrail.runs.sums import seal
from longtrail.tasks.loading import load_tasks

SIZES = (1_000, 10_000)


def enlarged(results: list[Result], size: int) -> list[Result]:
    """The results repeatedly, each time under other task names."""
    found = []
    for number in range(size):
        one, turn = results[number % len(results)], number // len(results)
        case = one.case.model_copy(update={"id": f"t{turn}-{one.case.id}", "task": f"{one.case.task}_{turn}"})
        found.append(one.model_copy(update={"case": case, "reason": f"{one.reason} ({turn})"}))
    return found


def seconds_to_open(page: Path, tries: int = 3) -> tuple[float, float]:
    """Median seconds from the address to the drawn grid, and from a filter's change to the drawn grid."""
    opened, filtered = [], []
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for _ in range(tries):
            tab = chromium.new_page()
            began = time.perf_counter()
            tab.goto(page.as_uri())
            tab.locator("#cases td.cell a").first.wait_for()
            opened.append(time.perf_counter() - began)
            began = time.perf_counter()
            tab.evaluate("change({ q: 'e', view: 'list', sort: 'steps' })")
            tab.locator("#cases tbody tr").first.wait_for()
            filtered.append(time.perf_counter() - began)
            tab.close()
        chromium.close()
    return sorted(opened)[tries // 2], sorted(filtered)[tries // 2]


def looked_through(runs: int = 12) -> dict[str, float]:
    """CPU seconds to check this many generated runs: with all files read, and with no file changed."""
    from tests.report.pages.made_runs import make_run, results

    with TemporaryDirectory() as place:
        made = results()
        for number in range(runs):
            seal(make_run(Path(place), f"run-{number}", made, hour=number))
        told = {"runs": float(runs), "cases": float(runs * len(made))}
        view_runs(Path(place), check_again)  # stores its result
        for name, check in (("read_s", check_run), ("unchanged_s", check_again)):
            began = time.process_time()
            view_runs(Path(place), check)
            told[name] = round(time.process_time() - began, 2)
    return told


def main() -> None:
    """Print one JSON line for each size, and one for a folder of runs."""
    print(json.dumps(looked_through()), flush=True)
    if len(sys.argv) > 1:
        view = view_run(Path(sys.argv[1]))
    else:
        from tests.report.pages.made_runs import make_run, results

        folder = TemporaryDirectory()
        view = view_run(make_run(Path(folder.name), "made", results()).folder)
    tasks = load_tasks()
    for size in SIZES:
        with TemporaryDirectory() as place:
            many = _with(view, enlarged(list(view.results), size))
            began = time.perf_counter()
            files = run_files(many, tasks)
            made = time.perf_counter() - began
            for name, text in files.items():
                write(Path(place) / name, text)
            opened, filtered = seconds_to_open(Path(place) / "cases.html")
            sizes = {name: round(len(text.encode()) / 1e6, 2) for name, text in files.items()}
            told = {"made_s": round(made, 2), "opened_s": round(opened, 2), "filtered_s": round(filtered, 2)}
            print(json.dumps({"cases": size, **told, "megabytes": sizes}))


def _with(view: RunView, results: list[Result]) -> RunView:
    return replace(view, board=replace(view.board, results=results))


if __name__ == "__main__":
    main()
