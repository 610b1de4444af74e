"""What workers on other machines get: arguments, environment and files; and the versions that they must have."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from longtrail.errors import UsageError
from longtrail.options.flags import FLAGS
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.controller import create
from longtrail.pytest_plugin.remote.setup import (
    CHROMIUM,
    NOT_SENT,
    check_paths,
    chromium,
    not_sent,
    refusal,
    setup_for,
    versions,
)
from longtrail.records.trajectory import Contender


def config(root: Path, started: Path, *args: str, **given: object) -> Any:
    """Those parts of pytest's config that are read here."""
    option = SimpleNamespace(**{flag.pytest_option: None for flag in FLAGS} | given)
    params = SimpleNamespace(dir=started, args=args)
    return SimpleNamespace(rootpath=root, invocation_params=params, option=option)


def test_places_are_told_as_they_are_named_from_where_pytest_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("LONGTRAIL_CHROMIUM", "/opt/chromium")
    root, started = tmp_path / "project", tmp_path / "project" / "evals"
    started.mkdir(parents=True)
    run = create(tmp_path / "runs" / "mine", Options(contenders=(Contender(agent="oracle"),), reports=tmp_path))
    run.close()
    words = ("mine", f"{root}/tests/test_it.py::test[a/b]", "/elsewhere", "-q", "--reports=/tmp/x")
    setup = setup_for(config(root, started, *words), run)
    assert setup.args == ("mine", "../tests/test_it.py::test[a/b]", "/elsewhere", "-q", "--reports=/tmp/x")
    assert setup.folder == "evals"
    assert setup.environment["OPENAI_API_KEY"] == "secret"
    assert "LONGTRAIL_CHROMIUM" not in setup.environment, "each machine has its own"
    assert set(setup.files) == {"run.json"}


def test_reports_stay_here_wherever_they_are(tmp_path: Path) -> None:
    assert not_sent(tmp_path, tmp_path / "lab" / "runs") == [*NOT_SENT, "/lab/runs"]
    assert not_sent(tmp_path / "project", tmp_path / "reports") == list(NOT_SENT)


def test_a_path_that_other_machines_do_not_have_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_paths(config(tmp_path, tmp_path, longtrail_noise_pool=Path("pool"), longtrail_reports=Path("/tmp/x")))
    for path in (tmp_path / "pool", Path("../pool")):
        with pytest.raises(UsageError, match="name it by a relative path inside of"):
            check_paths(config(tmp_path, tmp_path, longtrail_noise_pool=path))


HERE = {"Longtrail": "1.0", "code": "abc", "data": "def", CHROMIUM: "Chromium 150"}


@pytest.mark.parametrize("name", ["Longtrail", "code", "data", CHROMIUM])
def test_another_version_is_named(name: str) -> None:
    reason = refusal("10.0.0.7", HERE, {**HERE, name: "other"})
    assert reason == f"node 10.0.0.7: {name} is other there and {HERE[name]} here; all must be alike"


def test_packages_that_change_results_are_compared() -> None:
    assert {"litellm", "playwright", "tokenizer"} <= set(versions())


def test_this_machine_is_like_itself_and_unlike_one_without_a_browser() -> None:
    here = {**versions(), CHROMIUM: chromium()}
    assert here[CHROMIUM]
    assert refusal("here", here, {**versions(), CHROMIUM: chromium()}) == ""
    assert "no Chromium was found there" in refusal("here", here, {**here, CHROMIUM: ""})
