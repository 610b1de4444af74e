"""Measures the instrument itself and writes the table of docs/validation.md.

    python -m benchmarks.instrument [--only WORD ...] [--long]

Runs every measurement below, or those whose command has one of the words, and replaces its row in the table: what was
found, the command, the number of cases, and the date. `--long` takes the sizes of the longer measurements, for a night.
Exits with 1 if a goal was missed.
"""

import argparse
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "validation.md"
HEAD = ("question", "goal", "measured", "n", "command", "date")
GUESSERS = "surface stuffer visitor quoter paster word_list packed_notes lookup"


@dataclass(frozen=True)
class Measurement:
    """One row: `read` turns the output (or the run) into what was measured, n, and whether the goal was reached."""

    question: str
    goal: str
    command: str
    read: Callable[[str], tuple[str, str, bool]]
    long: str = ""
    """The command with the sizes of a night, if they differ."""


def line(pattern: str, reached: Callable[[re.Match[str]], bool]) -> Callable[[str], tuple[str, str, bool]]:
    """Reads a line of the output: group `n` is n, the whole match what was measured."""

    def read(output: str) -> tuple[str, str, bool]:
        match = re.search(pattern, output)
        return (match[0], match["n"], reached(match)) if match else ("no figure", "", False)

    return read


def solved(output: str) -> tuple[str, str, bool]:
    """All cases of the run pass, by pytest's last line."""
    last = output.strip().rpartition("\n")[2]
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?)\b", last)}
    passed, number = counts.get("passed", 0), sum(counts.values())
    return f"{passed} passed", str(number), 0 < passed == number


def proven(output: str) -> tuple[str, str, bool]:
    """At most 1 % of the guessers' cases are proven, by the table of benchmarks.validity."""
    rows = re.findall(r"^\| \w+ \| [^|]+ \| (\d+) \|(?: [\d.]+ \|){3} ([\d.]+) \|", output, re.MULTILINE)
    number, cases = sum(round(int(n) * float(share) / 100) for n, share in rows), sum(int(n) for n, _ in rows)
    return f"{number} proven", str(cases), bool(rows) and number <= cases / 100


def share_of_planted(output: str) -> tuple[str, str, bool]:
    """The detector's precision and recall over all classes of planted faults."""
    rows = re.findall(r"^(\w[\w ]+?) +(\d+) +(\d+) +([\d.]+) +([\d.]+)$", output, re.MULTILINE)
    planted = sum(int(row[1]) for row in rows)
    figures = "; ".join(f"{row[0]}: precision {float(row[3]):.2f}, recall {float(row[4]):.2f}" for row in rows)
    return figures, str(planted), bool(rows) and all(float(row[3]) >= 0.9 and float(row[4]) >= 0.8 for row in rows)


def false_alarms(output: str) -> tuple[str, str, bool]:
    """The largest share of red among equal agents, over all rows of the gate's trials."""
    trials = re.search(r"(\d+) trials a row", output)
    equal = [float(row) for row in re.findall(r"^.* 0\.0 +([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+$", output, re.MULTILINE)]
    bound = re.search(r"by chance at most ([\d.]+)", output)
    reached = bool(equal and bound) and max(equal) <= float(bound[1] if bound else 0)
    return (
        f"equal agents red: {min(equal)} to {max(equal)} %" if equal else "no figure",
        (f"{trials[1]} trials a row" if trials else ""),
        reached,
    )


RUN = "pytest -q --no-shots -n 2"
MEASUREMENTS = (
    Measurement(
        "Does the reference solution of every task pass?",
        "all",
        f'{RUN} -m "raw and not appeal or noise_0" --lengths 0 --agent oracle',
        solved,
    ),
    Measurement(
        "Does every reference pass in a variant, in which three of five tasks have another right decision?",
        "all",
        f'{RUN} -m "(raw and not appeal) or noise_0" --lengths 0 --agent oracle --variant 1',
        solved,
    ),
    Measurement(
        "Do agents that guess, paste or look up prove a case?",
        "at most 1 %",
        f"python -m benchmarks.validity --sample 12 {GUESSERS}",
        proven,
        f"python -m benchmarks.validity {GUESSERS}",
    ),
    Measurement(
        "Does the detector find planted hallucinations, and spare honest decisions?",
        "precision 0.9, recall 0.8",
        "python -m benchmarks.hallucination",
        share_of_planted,
    ),
    Measurement(
        "Is the gate red for equal agents?",
        "at most alpha, 5 %",
        "python -m benchmarks.gate_trials --trials 200 --tasks 12 56",
        false_alarms,
        "python -m benchmarks.gate_trials --trials 1000",
    ),
    Measurement(
        "Do runs whose processes are killed end like undisturbed ones?",
        "all",
        "python -m benchmarks.kills --trials 4",
        line(r"(\d+) of (?P<n>\d+) trials end like an undisturbed run", lambda match: match[1] == match["n"]),
        "python -m benchmarks.kills --trials 200",
    ),
    Measurement(
        "Does a busy machine change results?",
        "no",
        "python -m benchmarks.pressure --episodes 16",
        line(r"(?P<n>\d+) episodes, .*: (\d+ differences|every one the same)", lambda match: "same" in match[2]),
        "python -m benchmarks.pressure",
    ),
    Measurement(
        "Does a recorded run replay without a miss?",
        "yes",
        "python -m benchmarks.replays --episodes 12",
        line(
            r"(?P<n>\d+) episodes replayed: (\d+) cassette misses, (\d+) diff",
            lambda match: match[2] == match[3] == "0",
        ),
    ),
    Measurement(
        "Does every page always give the same text?",
        "yes",
        "python -m benchmarks.repeated_looks --loads 6",
        line(r"(?P<n>\d+) pages: (every page is one text|\d+ have)", lambda match: match[2].startswith("every")),
        "python -m benchmarks.repeated_looks",
    ),
    Measurement(
        "Do results depend on the number of workers?",
        "no",
        "python -m benchmarks.same_results --sample 2",
        line(r"--dist load: (?P<n>\d+) results, (\d+) differ", lambda match: match[2] == "0"),
        "python -m benchmarks.same_results",
    ),
)


def main() -> int:
    """Measure, and write the table. Returns 1 if a goal was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="WORD", help="those whose command has one of these words"
    )
    parser.add_argument("--long", action="store_true", help="with the sizes of a night")
    given = parser.parse_args()
    missed = 0
    for measurement in MEASUREMENTS:
        command = (given.long and measurement.long) or measurement.command
        if given.only and not any(word in command for word in given.only):
            continue
        print(f"{measurement.question}\n  {command}", flush=True)
        started = time.monotonic()
        figure, number, reached = measurement.read(_output(command))
        missed += not reached
        print(f"  {figure} ({number}), {time.monotonic() - started:.0f} s{'' if reached else '; the goal was missed'}")
        shown = figure if reached else f"**{figure}**"
        today = datetime.now(UTC).date().isoformat()
        _write((measurement.question, measurement.goal, shown, number, f"`{command}`", today))
    return 1 if missed else 0


def _output(command: str) -> str:
    program, *arguments = shlex.split(command)
    modules = {"pytest": ["-m", "pytest"], "python": []}
    done = subprocess.run(
        [sys.executable, *modules[program], *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout


def _write(row: tuple[str, ...]) -> None:
    """Replace the row of this question, or add it at the end of the table."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    new = f"| {' | '.join(row)} |"
    rows = [number for number, text in enumerate(lines) if text.startswith(f"| {row[0]} |")]
    if rows:
        lines[rows[0]] = new
    else:
        last = max(number for number, text in enumerate(lines) if text.startswith("|"))
        lines.insert(last + 1, new)
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
