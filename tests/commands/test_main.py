"""The command line: its subcommands are found and described, a wrong one gets a suggestion; `longtrail runs`."""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from longtrail import __version__, commands
from longtrail.commands.main import ARGUMENTS, add_arguments, main, subcommands
from longtrail.records.action import ACTION, Decide
from longtrail.records.action_forms import FORMS
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from tests.report.pages.made_runs import make_run, results


def test_the_subcommands_of_every_module_are_found() -> None:
    (folder,) = commands.__path__
    written = "".join(path.read_text("utf-8") for path in Path(folder).glob("*.py"))
    assert set(subcommands()) == set(re.findall(r'^@command\(\s*"([a-z-]+)"', written, re.MULTILINE))
    assert {"rescore", "check-live", "import"} <= set(subcommands())


@pytest.mark.parametrize("given", [[], ["--help"]])
def test_every_subcommand_tells_what_it_does(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 0
    overview = " ".join(capsys.readouterr().out.split())
    for name, command in subcommands().items():
        summary = " ".join((command.__doc__ or "").split("\n\n")[0].split())
        assert f"{name} {summary}" in overview, name
        with pytest.raises(SystemExit) as ended:
            main([name, "--help"])
        assert ended.value.code == 0
        assert f"longtrail {name}" in capsys.readouterr().out


def test_every_argument_has_a_help_text() -> None:
    def without_help(parser: argparse.ArgumentParser) -> list[str]:
        found = []
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                found += [text for nested in action.choices.values() for text in without_help(nested)]
            elif not action.help:
                found.append(f"{parser.prog}: {action.metavar or action.dest}")
        return found

    assert ARGUMENTS.keys() <= subcommands().keys()
    for name, table in ARGUMENTS.items():
        parser = argparse.ArgumentParser(prog=name)
        add_arguments(parser, table)
        assert without_help(parser) == []


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"longtrail {__version__}\n"


@pytest.mark.parametrize(
    ("given", "said"), [("rescor", "did you mean rescore?"), ("xyzzy", "known are annotate, baseline, ")]
)
def test_an_unknown_command_is_one_line(given: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([given, "x"]) == 4
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"longtrail: there is no command '{given}': {said}")
    assert told.err.count("\n") == 1


def test_help_loads_nothing_heavy() -> None:
    heavy = {"litellm", "playwright", "starlette", "scipy", "numpy", "PIL", "jinja2", "httpx", "pytest"}
    code = (
        "import contextlib, sys\n"
        "from longtrail.commands.main import main\n"
        "with contextlib.suppress(SystemExit):\n"
        "    main(['check-live', '--help'])\n"
        f"print(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_each_action_is_printed_and_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "--short"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["type"] for line in printed] == list(FORMS)
    page = (Path(__file__).resolve().parents[2] / "docs" / "actions.md").read_text(encoding="utf-8")
    assert [line for line in printed if line not in page] == [FORMS["decide"]]  # it has an example of its own
    example = json.loads(page.partition("```json\n")[2].partition("```")[0])
    decision = ACTION.validate_python(example)
    assert isinstance(decision, Decide)
    assert example.keys() == json.loads(FORMS["decide"]).keys()


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Two finished runs; one episode of the second is lost."""
    for name in ("first", "second"):
        seal(make_run(tmp_path, name, results(["oracle"])[:4]))
    next((tmp_path / "runs" / "second" / "episodes").iterdir()).unlink()
    return tmp_path


def test_runs_are_listed(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", f"--reports={reports}"]) == 0
    first, second = capsys.readouterr().out.splitlines()[2:]
    assert first.split()[:2] == ["first", "oracle"]
    assert " complete" in first
    assert "3 of 4  incomplete" in second
    assert first.endswith(" MB")


def test_a_run_is_deleted(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "rm", "first", f"--reports={reports}"]) == 0
    assert not (reports / "runs" / "first").exists()
    assert (reports / "runs" / "second").is_dir()
    assert "runs/first/" not in (reports / "leaderboard.html").read_text("utf-8")
    assert f"deleted {reports / 'runs' / 'first'}" in capsys.readouterr().out


def test_an_unknown_run_or_one_that_is_played_is_kept(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["runs", "rm", "first", "secnod", f"--reports={reports}"]) == 4
    assert "did you mean second" in capsys.readouterr().err
    playing = Run.open(reports / "runs" / "first")
    playing.lock()
    try:
        assert main(["runs", "rm", "first", f"--reports={reports}"]) == 4
    finally:
        playing.close()
    assert "is in use by process" in capsys.readouterr().err
    assert (reports / "runs" / "first").is_dir()
    assert main(["runs", f"--reports={reports / 'none'}"]) == 4
