"""The pytest plugin: options, parameters, and the decision whether a session evaluates agents.

pytest loads this module in every repository whose environment has Longtrail installed. A session without our cases
loads only the table of flags besides it, and is not changed. The evaluation is registered when a test requests one of
our fixtures, and begins when a test that plays a planned case was collected.
"""

import os
from argparse import SUPPRESS
from collections.abc import Generator, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from longtrail.paths import PACKAGE, shipped
from longtrail.pytest_plugin.names import (
    CASE,
    Asked,
    asked_for,
    asks_for,
    check_arguments,
    how_to_ask,
    is_about_cases,
    is_free,
    options_given,
    register_markers,
)

if TYPE_CHECKING:
    from longtrail.pytest_plugin.case_session import CaseSession
    from longtrail.pytest_plugin.html_page import SessionReport

JOINED: pytest.StashKey["CaseSession"] = pytest.StashKey()
BEGAN: pytest.StashKey[str] = pytest.StashKey()
WORKERS: pytest.StashKey[int] = pytest.StashKey()
APP_FIXTURE = "web_agent"
APP_RUN = "longtrail-run"
APP_RUNS: pytest.StashKey[set[str]] = pytest.StashKey()
HTML_REPORT: pytest.StashKey["SessionReport"] = pytest.StashKey()
"""Our columns of pytest-html's page, which asks for them before it is known whether a test plays a case."""
CHOOSING: pytest.StashKey[bool] = pytest.StashKey()
SHORT: pytest.StashKey[set[str]] = pytest.StashKey()
"""The short forms that we registered."""
GIVEN: pytest.StashKey[tuple[str, ...]] = pytest.StashKey()
"""Our options on the command line of a controller or a session without workers."""
ASKED: pytest.StashKey[Asked] = pytest.StashKey()
"""Which tests of ours the command line asks for."""
USED: pytest.StashKey[bool] = pytest.StashKey()
"""Set if a test was collected that uses our options."""
NOT_ASKED: pytest.StashKey[set[str]] = pytest.StashKey()
"""Folders of collected tests that play cases, but are not asked for; relative to where pytest was started."""
OURS = "longtrail_"
"""The prefix of our fixtures' names."""
MARK = "longtrail_cases"
"""The mark of `longtrail.testing.cases`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Register the long form of every flag. `pytest_load_initial_conftests` registers the short ones."""
    from longtrail.options.flags import FLAGS

    group = parser.getgroup("longtrail", "evaluation of web agents (Longtrail)")
    parser.addini("longtrail_tasks", "folder of own task files (as --tasks), from the ini file's folder", default="")
    for flag in FLAGS:
        shown = SUPPRESS if flag.listed_short else f"{flag.help} (short: {flag.name})"
        group.addoption(flag.long_name, **{**flag.settings, "help": shown})


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None, None, None]:
    """Register the used short forms, unless another plugin or a conftest.py has them; for `--help`, all of them."""
    from longtrail.options.flags import FLAGS

    known, given = early_config.known_args_namespace, {word.partition("=")[0] for word in args}
    every = known.help or any(arg.startswith("@") for arg in args)  # a file of arguments may contain any option
    asked = [flag for flag in FLAGS if flag.name in given or every]
    if not asked:
        return (yield)
    words = {flag.name for flag in asked}
    values = {value for word, value in pairwise(args) if word in words and not Path(value).exists()}
    known.file_or_dir = [place for place in known.file_or_dir if place not in values]  # else `testpaths` is not read
    yield
    group = parser.getgroup("longtrail")
    for flag in asked:
        if is_free(parser, flag.name):
            shown = flag.shown_help() if flag.listed_short and known.help else SUPPRESS
            changed = {"dest": flag.pytest_option, "default": SUPPRESS, "help": shown}
            group.addoption(flag.name, **{**flag.settings, **changed})
            early_config.stash.setdefault(SHORT, set()).add(flag.name)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    markers, short = register_markers(config), config.stash.get(SHORT, set())
    if hasattr(config, "workerinput"):
        from longtrail.pytest_plugin.xdist_start import WorkerSetup

        setup = WorkerSetup.of(config)
        config.stash[ASKED] = setup.asked if setup else "all"
    else:
        given = options_given(config.invocation_params.args, short)
        config.stash[GIVEN], config.stash[ASKED] = given, asked_for(config, markers, given)
        if short:
            check_arguments(config, given, short)
    if config.option.longtrail_estimate and hasattr(config.option, "dist"):  # one process is enough
        config.stash[WORKERS] = len(config.option.tx or ())
        config.option.dist, config.option.tx, config.option.numprocesses = "no", [], 0
    ours = is_about_cases(config, config.stash[ASKED])
    if ours and hasattr(config.option, "htmlpath") and not hasattr(config, "workerinput"):
        from longtrail.pytest_plugin.html_page import choose_page

        if report := choose_page(config):
            config.stash[HTML_REPORT] = report
            config.pluginmanager.register(report, "longtrail-html")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[Any]) -> None:
    if is_about_cases(config, config.stash[ASKED]):
        from longtrail.pytest_plugin.worker_template import use_template

        use_template(config, specs)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    from longtrail.pytest_plugin.xdist_start import SETUP, WorkerSetup, report_file

    config = node.config
    calls = ""
    if config.option.longtrail_model or config.option.longtrail_judge:
        from longtrail.pytest_plugin.model_calls import server_address

        calls = server_address(config)
    setup = WorkerSetup(_began(config), str(config.rootpath), str(report_file(node)), config.stash[ASKED], calls)
    node.workerinput[SETUP] = setup.to_json()


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """The scheduler is chosen when a worker has collected. If it has no case of ours, the others decide as usual."""
    if config.getoption("dist") != "load" or config.stash.get(CHOOSING, False):
        return None
    from longtrail.pytest_plugin.xdist_start import DeferredScheduling

    def choose() -> Any:
        if JOINED in config.stash and (scheduler := config.stash[JOINED].scheduler()):
            return scheduler
        config.stash[CHOOSING] = True
        return config.hook.pytest_xdist_make_scheduler(config=config, log=log)

    return DeferredScheduling(choose)


def _began(config: pytest.Config) -> str:
    """The session's start time for its run's name: in seconds, and different from all other runs here."""
    if BEGAN not in config.stash:
        from datetime import UTC, datetime, timedelta

        now, given = datetime.now(UTC), config.option.longtrail_reports
        runs = (given if isinstance(given, Path) else config.rootpath / "reports") / "runs"
        while any(runs.glob(f"{now:%Y%m%d-%H%M%S}*")):
            now += timedelta(seconds=1)
        config.stash[BEGAN] = f"{now:%Y%m%d-%H%M%S}"
    return config.stash[BEGAN]


def join(config: pytest.Config) -> "CaseSession":
    """The part of this session that plays cases. The first call registers it and our fixtures."""
    if JOINED not in config.stash:
        from longtrail.pytest_plugin.case_session import CaseSession

        if hasattr(config, "workerinput"):
            from longtrail.pytest_plugin.xdist_start import end_with_parent

            end_with_parent()
        joined = CaseSession(config, _began(config), config.stash.get(WORKERS, 1))
        joined.evaluation.html_report = config.stash.get(HTML_REPORT, None)
        config.stash[JOINED] = joined
        config.pluginmanager.register(joined, "longtrail-cases")
        fixtures = shipped("fixtures")
        package = "longtrail.fixtures" if fixtures.parent == PACKAGE else "fixtures"
        for file in sorted(fixtures.glob("[!_]*.py")):
            config.pluginmanager.import_plugin(f"{package}.{file.stem}")
        joined.register_overrides()
    return config.stash[JOINED]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> Generator[None, Any, Any]:
    """If a test requests one of our fixtures, also through another one, register ours and generate it again. A test
    that the command line doesn't ask for stays as it is; it is deselected later."""
    made, config = (yield), collector.config
    fixtures = getattr(made[0], "fixturenames", ()) if isinstance(made, list) and made else ()
    ours = bool(fixtures) and plays_cases(made[0], fixtures)
    if ours and not asks_for(config.stash[ASKED], collector):
        folder = os.path.relpath(collector.path.parent, config.invocation_params.dir)
        config.stash.setdefault(NOT_ASKED, set()).add(folder)
    elif ours or APP_FIXTURE in fixtures:
        config.stash[USED] = True
        if JOINED not in config.stash:
            join(config)
            return collector.ihook.pytest_pycollect_makeitem(collector=collector, name=name, obj=obj)
    return made


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that play cases, but that the command line doesn't ask for."""
    if NOT_ASKED not in config.stash:
        return
    kept: list[pytest.Item] = []
    gone: list[pytest.Item] = []
    for item in items:
        (gone if _plays_unasked(config, item) else kept).append(item)
    config.hook.pytest_deselected(items=gone)
    items[:] = kept


def _plays_unasked(config: pytest.Config, item: pytest.Item) -> bool:
    module = item.getparent(pytest.Module)
    plays = plays_cases(item, getattr(item, "fixturenames", ()))
    return plays and module is not None and not asks_for(config.stash[ASKED], module)


@pytest.hookimpl(tryfirst=True)  # the hook of `CaseSession`, which is registered later, comes before
def pytest_collection_finish(session: pytest.Session) -> None:
    """Raise UsageError if no test uses the options of ours that were given. A worker tells its controller."""
    config, used = session.config, USED in session.config.stash or bool(session.testsfailed)
    if not hasattr(config, "workerinput"):
        _refuse_unused_options(config, used)
    elif used or NOT_ASKED in config.stash:
        from longtrail.pytest_plugin.xdist_start import CollectedCases, WorkerSetup

        setup = WorkerSetup.of(config)
        if setup and not Path(setup.report).exists():  # else it has tests that play cases
            left = sorted(config.stash.get(NOT_ASKED, ()))
            CollectedCases(uses_options=used, not_asked=left).write(Path(setup.report))


def _refuse_unused_options(config: pytest.Config, used: bool) -> None:
    given, folders = config.stash[GIVEN], config.stash.get(NOT_ASKED, set())
    if given and not used:
        raise pytest.UsageError(how_to_ask(folders, given))


def pytest_report_teststatus(report: Any, config: pytest.Config) -> None:
    folders = {str(value) for name, value in getattr(report, "user_properties", ()) if name == APP_RUN}
    if folders and not hasattr(config, "workerinput"):
        config.stash.setdefault(APP_RUNS, set()).update(folders)


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    if exitstatus == 5 and (folders := config.stash.get(NOT_ASKED, None)):
        terminalreporter.write_line(how_to_ask(folders, ()))
    if runs := config.stash.get(APP_RUNS, None):
        from longtrail.pytest_plugin.app_result import finish

        for folder in sorted(runs):
            terminalreporter.section("Longtrail: your own apps")
            terminalreporter.write_line(finish(Path(folder)))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize `case` for tests with `@cases(...)`, and for those that ask for a fixture `longtrail_...`: the
    latter choose their suites by markers."""
    test, config = metafunc.definition, metafunc.config
    if JOINED not in config.stash or CASE not in metafunc.fixturenames or not plays_cases(test, metafunc.fixturenames):
        return
    if _plays_unasked(config, test):
        return
    chosen = test.get_closest_marker(MARK)
    wanted = set(chosen.args) if chosen else {mark.name for mark in test.iter_markers()}  # suites, `appeal`, `twin`
    cases = [
        pytest.param(planned, id=name, marks=[getattr(pytest.mark, mark) for mark in marks])
        for name, planned, marks in join(config).evaluation.cases(wanted)
    ]
    metafunc.parametrize(CASE, cases)


def plays_cases(test: pytest.Item, fixtures: Iterable[str]) -> bool:
    """Whether a test asks for a case of ours."""
    return test.get_closest_marker(MARK) is not None or any(name.startswith(OURS) for name in fixtures)


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """In the controller: the first worker that has collected cases begins the run."""
    from longtrail.pytest_plugin.xdist_start import CollectedCases, report_file

    config, collected = node.config, CollectedCases.take(report_file(node)) or CollectedCases()
    if collected.not_asked:
        config.stash[NOT_ASKED] = set(collected.not_asked)
    _refuse_unused_options(config, collected.uses_options or bool(collected.tests))
    if collected.tests:
        join(config).worker_collected(node, collected)
