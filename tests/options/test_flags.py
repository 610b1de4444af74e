"""Options: one declaration gives flag, checks, and what the gate compares; forms of values; paths after a space."""

import re
import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import get_args

import pytest

from longtrail.errors import UsageError
from longtrail.options.flags import ADDED, FLAGS, THIS_MACHINE, fields
from longtrail.options.plan import check_folders
from longtrail.options.run_options import Options, read_options
from longtrail.options.value_forms import DEFAULT_LENGTHS, read_lengths
from longtrail.pytest_plugin.app_session import refuse_flags
from longtrail.records.case import Placement
from longtrail.yaml_file import read_yaml


def given(*words: str) -> Namespace:
    parser = ArgumentParser()
    for name, settings in ADDED.items():
        parser.add_argument(name, **settings)
    return parser.parse_args(words)


def test_every_option_has_a_flag_and_all_flags_of_one_agree() -> None:
    assert set(Options.model_fields) - {"address"} == {flag.option for flag in FLAGS} - {"estimate"}  # of --reports
    for field in set(Options.model_fields) - {"address"}:
        assert len({flag.effect for flag in FLAGS if flag.option == field}) == 1, field
    assert not {*fields("measured")} & {*fields("planned", "free")}


def test_a_flag_takes_what_its_field_takes() -> None:
    for flag in FLAGS:
        kinds = get_args(Options.model_fields[flag.option].annotation) if flag.option in Options.model_fields else ()
        if kinds and all(isinstance(kind, str) for kind in kinds):
            assert kinds == flag.choices, flag.name
    shown = {flag.name: flag.help for flag in FLAGS}
    assert DEFAULT_LENGTHS in shown["--lengths"]
    assert ", ".join(get_args(Placement)) in shown["--placement"]
    assert [flag.bare for flag in FLAGS if flag.bare] == [THIS_MACHINE]


def test_an_empty_command_line_gives_the_defaults(tmp_path: Path) -> None:
    read = read_options(given(), tmp_path)
    assert read.model_copy(update={"reports": tmp_path}) == Options(
        contenders=read.contenders, reports=tmp_path, conditions=read.conditions
    )


def test_what_is_given_stands_in_the_options(tmp_path: Path) -> None:
    pool = tmp_path / "pool.jsonl"
    pool.touch()
    words = ("--seed=7", "--stop-on-success", "--no-shots", "--task=pw-1*", "--task=pw-2*", "--appeal-turns=3")
    read = read_options(given(*words, f"--noise-pool={pool}", "--first-subtask=reference"), tmp_path)
    assert (read.seed, read.stop_on_success, read.shots, read.tasks) == (7, True, False, ("pw-1*", "pw-2*"))
    assert (read.appeal_turns, read.noise_pool, read.first_subtask) == (3, pool, "reference")


LINES = read_yaml(Path(__file__).with_name("refused.yaml"))
REFUSED = LINES["options"]


@pytest.mark.parametrize("words", REFUSED)
def test_wrong_words_are_refused_in_one_line(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`tests/pytest_plugin/test_command_line.py` shows what a session makes of it."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(UsageError, match=re.escape(REFUSED[words])) as caught:
        read_options(given(*shlex.split(words)), tmp_path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("words", LINES["web_agent"])
def test_flags_that_tests_with_web_agent_would_ignore_are_refused(words: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=LINES["web_agent"][words]):
        refuse_flags(read_options(given(*shlex.split(words)), tmp_path), beside_cases=False)


def test_agents_may_be_repeated_and_each_takes_the_models_that_it_can_use(tmp_path: Path) -> None:
    words = ("--agent=oracle", "--agent=webagent", "--agent=oracle", "--agent=irag")
    api = ("--model-arg=api_base=http://127.0.0.1:1", "--model=openai/one", "--model=openai/two")
    found = read_options(given(*words, *api, "--replay=."), tmp_path).contenders
    assert [(contender.agent, contender.model) for contender in found] == [
        ("oracle", None),
        ("webagent", "openai/one"),
        ("webagent", "openai/two"),
        ("irag", "openai/one"),
        ("irag", "openai/two"),
    ]


def test_what_a_model_may_write_is_part_of_who_is_evaluated(tmp_path: Path) -> None:
    model = ("--model=openai/one", "--model-arg=api_base=http://127.0.0.1:1", "--model-arg=max_tokens=300")
    read = read_options(given(*model, "--model-arg=reasoning_effort=low"), tmp_path)
    assert read.contenders[0].options == {"max_tokens": 300, "reasoning_effort": "low"}


def test_own_tasks_are_recorded_by_their_content(tmp_path: Path) -> None:
    """Machines have them in different folders; only those that the run may play matter."""
    task = (
        "suite: app\nid: {id}\napp: {address: 'http://127.0.0.1:1'}\ninstruction: {say}\n"
        "key_steps: [{kind: url, name: order, paths: [/]}]\n"
    )
    for folder, say in (("one", "Go."), ("two", "Go."), ("three", "Stop.")):
        (tmp_path / folder).mkdir()
        for name, said in (("first", say), ("second", "Go.")):
            text = task.replace("{id}", name).replace("{say}", said)
            (tmp_path / folder / f"{name}.yaml").write_text(text)

    def recorded(folder: str, *more: str) -> object:
        return read_options(given(f"--tasks={tmp_path / folder}", *more), tmp_path).public()["own_tasks"]

    assert recorded("one") == recorded("two") != recorded("three")
    assert recorded("one", "--task=SECOND") == recorded("three", "--task=SECOND")
    assert str(tmp_path) not in str(recorded("one"))


def test_units_and_order() -> None:
    assert read_lengths("1m, 250k,0,500K,31000") == ((0, 31_000, 250_000, 500_000, 1_000_000), False)
    assert read_lengths("relocated,1000k,1m") == ((1_000_000,), True)


@pytest.mark.parametrize("text", ["k", "m", "12q", "1mk", "-1k", "1.5m", "123456789", "", ","])
def test_what_is_no_length_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--lengths: expected"):
        read_lengths(text)


def test_a_path_after_a_space_is_refused_where_settings_would_be_missed(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    runs.mkdir()
    args = ("evals", "--baseline", str(runs))
    check_folders(args, None, tmp_path, {"--baseline"})
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'mine'\n")
    check_folders(args, None, tmp_path, {"--baseline"})
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = ''\n")
    check_folders(args, tmp_path / "pyproject.toml", tmp_path, {"--baseline"})
    with pytest.raises(UsageError, match=f"write --baseline={runs}"):
        check_folders(args, None, tmp_path, {"--baseline"})
