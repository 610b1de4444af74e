"""The pytest plugin: options, markers, parameters, session end. It only wires."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from longtrail import paths

if TYPE_CHECKING:
    from longtrail.options.run_options import Options
    from longtrail.runs.baseline import Scores
    from longtrail.runs.store import Run
    from longtrail.tasks.cases import Planned
    from longtrail.tasks.task import Task

OPTIONS: pytest.StashKey["Options"] = pytest.StashKey()
PLAN: pytest.StashKey["dict[bool, tuple[Planned, ...]]"] = pytest.StashKey()
FIXTURES = ("web", "browser", "model", "agent", "noise", "prompts", "episode")
"""Modules of `fixtures/`. A clone's conftest.py names them; from a wheel they are registered here."""
FOLDER: pytest.StashKey[Path] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    from longtrail.options.flags import ADDED

    group = parser.getgroup("longtrail", "evaluation of web agents (Longtrail)")
    for name, settings in ADDED.items():
        group.addoption(name, **settings)
    parser.addini(
        "longtrail_tasks", "folder of your own task files (as --tasks), from the ini file's folder", default=""
    )


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Where a project keeps pytest-playwright from loading by itself (`-p no:playwright`), load it now, unless cases
    are only listed: it imports Playwright at once."""
    manager = early_config.pluginmanager
    words = early_config.known_args_namespace
    if manager.is_blocked("playwright") and not (words.collectonly or getattr(words, "estimate", False)):
        manager.import_plugin("pytest_playwright.pytest_playwright")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    _register_markers(config)
    config.pluginmanager.import_plugin("longtrail.pytest_plugin.app_fixture")
    if paths.shipped("fixtures").parent == paths.PACKAGE:
        for name in FIXTURES:
            config.pluginmanager.import_plugin(f"longtrail.fixtures.{name}")
    if hasattr(config, "workerinput"):
        _configure_worker(config)
        return
    if _concerned(config):
        _configure_controller(config)


def _register_markers(config: pytest.Config) -> None:
    from iniconfig import IniConfig

    for name, meaning in IniConfig(str(paths.shipped("markers.ini")))["markers"].items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def _configure_worker(config: pytest.Config) -> None:
    sent: dict[str, str] = config.workerinput  # type: ignore[attr-defined]
    if "longtrail_options" in sent:
        from longtrail.options.run_options import Options

        config.stash[OPTIONS] = Options.model_validate_json(sent["longtrail_options"])
        config.stash[FOLDER] = Path(sent["longtrail_folder"])
        from longtrail.pytest_plugin.parent_watch import end_with_parent

        end_with_parent()


def _configure_controller(config: pytest.Config) -> None:
    from longtrail.errors import LongtrailError
    from longtrail.options.plan import check_distribution, check_folders, check_markers

    try:
        check_folders(config.invocation_params.args, config.inipath, config.invocation_params.dir)
        check_distribution(config.getoption("dist", "no"))
        config.stash[OPTIONS] = options = checked_options(config)
        planned(config)
        check_markers(config.getoption("markexpr"), config.getini("markers"))
        if config.option.estimate:
            from longtrail.pytest_plugin.estimate_session import EstimateSession

            config.pluginmanager.register(EstimateSession(config, options, case_of), "longtrail-estimate")
    except LongtrailError as error:
        raise pytest.UsageError(str(error)) from error
    if config.option.collectonly or config.option.estimate:
        return
    from longtrail.pytest_plugin.controller import Controller
    from longtrail.runs.baseline import read_scores

    try:
        baseline = read_scores(options.baseline) if options.baseline else None
        controller = Controller(config, options, (*planned(config), *planned(config, appeal=True)))
    except LongtrailError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[FOLDER] = controller.folder
    # workers see the same words, but now the reports folder exists, and pytest would take it for a place of tests
    config.option.rootdir, config.option.inifilename = str(config.rootpath), str(config.inipath or "") or None
    if config.pluginmanager.hasplugin("html"):
        config.option.htmlpath = config.option.htmlpath or str(controller.folder / "report.html")
        config.option.self_contained_html = True
    config.pluginmanager.register(controller, "longtrail-controller")
    if baseline is not None:
        _configure_gate(config, controller.run, baseline, options)


def _configure_gate(config: pytest.Config, run: "Run", baseline: "Scores", options: "Options") -> None:
    """The gate alone decides the exit code. A run that it could not judge is not begun."""
    from longtrail.pytest_plugin.gate_session import GateExitCode, GateSession

    gate = GateSession(run, baseline, options.rules, options.baseline_contender)
    if reason := gate.refuse(options.contenders[0]):
        pytest.exit(f"gate: INVALID: {reason}", returncode=options.rules.exit_code("INVALID"))
    config.pluginmanager.register(gate, "longtrail-gate")
    config.pluginmanager.register(GateExitCode(gate), "longtrail-last-word")


def _concerned(config: pytest.Config) -> bool:
    """Will this session run benchmark cases? True if they lie at or below what it was pointed at."""
    if config.option.help or config.option.version or config.option.markers:
        return False
    cases = paths.shipped("benchmark_tests").resolve()
    pointed = [Path(str(arg).partition("::")[0]).resolve() for arg in config.args]
    return any(path == cases or path in cases.parents or cases in path.parents for path in pointed) or any(
        str(arg).startswith("longtrail.benchmark_tests") for arg in config.args
    )


def planned(config: pytest.Config, *, appeal: bool = False) -> "tuple[Planned, ...]":
    """The plan of this run, made once: cases without an appeal, or those with one. Raises UsageError, DataError."""
    from longtrail.options.plan import plan_for
    from longtrail.options.run_options import select_tasks
    from longtrail.tasks.loading import load_tasks, read_own_tasks

    if OPTIONS not in config.stash:
        config.stash[OPTIONS] = checked_options(config)
    if PLAN not in config.stash:
        options = config.stash[OPTIONS]
        own = read_own_tasks(options.own_tasks)
        tasks = select_tasks({**load_tasks(), **own}, options.tasks)
        config.stash[PLAN] = {kind: plan_for(tasks, options, appeal=kind, own=own) for kind in (False, True)}
        _register_categories(config, own.values())
    return config.stash[PLAN][appeal]


def checked_options(config: pytest.Config) -> "Options":
    """The checked command line and ini file. Raises UsageError."""
    from longtrail.options.run_options import read_options

    folder = config.getini("longtrail_tasks")
    if config.option.tasks is None and folder:
        config.option.tasks = (config.inipath.parent if config.inipath else config.rootpath) / folder
    return read_options(config.option, config.rootpath)


def _register_categories(config: pytest.Config, own: "Iterable[Task]") -> None:
    """Categories of one's own tasks are markers, as the shipped ones' are."""
    known = {line.partition(":")[0] for line in config.getini("markers")}
    for name in sorted({getattr(task, "category", "") for task in own} - known - {""}):
        config.addinivalue_line("markers", f"{name}: category of your own tasks")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "planned" not in metafunc.fixturenames:
        return
    own = {mark.name for mark in metafunc.definition.iter_markers()}
    cases = [
        pytest.param(case, id=case.case.id, marks=[getattr(pytest.mark, name) for name in case.markers])
        for case in planned(metafunc.config, appeal="appeal" in own)
        if own & {case.case.suite, "appeal"}
    ]
    metafunc.parametrize("planned", cases)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _deselect(config, items, {item for item in items if _without_a_case(item)})
    size = config.stash[OPTIONS].sample if OPTIONS in config.stash else None
    mine = {item: case for item in items if (case := case_of(item)) is not None}
    if size is None or size >= len(mine):
        return
    from longtrail.tasks.cases import sample

    kept = {case.case.id for case in sample(tuple(mine.values()), size, config.stash[OPTIONS].seed)}
    _deselect(config, items, {item for item, case in mine.items() if case.case.id not in kept})


def _deselect(config: pytest.Config, items: list[pytest.Item], gone: set[pytest.Item]) -> None:
    if gone:
        config.hook.pytest_deselected(items=[item for item in items if item in gone])
        items[:] = [item for item in items if item not in gone]


def _without_a_case(item: pytest.Item) -> bool:
    """A benchmark test for which the plan holds no case: pytest would show it as skipped."""
    return "planned" in getattr(item, "fixturenames", ()) and case_of(item) is None


@contextmanager
def ends_with_its_run(session: pytest.Session) -> Iterator[None]:
    """The one way in which a session ends before its time: in one line, with exit code 4, in every worker.

    What tells is the run's stop file (`Run.stop` writes it, `Run.stop_reason` reads it). Agent loops and limits of
    model calls read it while they work and give up; around whatever plays a case, this ends the process'
    session if the file is there before or after. A UsageError in between concerns the whole run: it is written there
    for all workers.
    """
    from longtrail.errors import UsageError
    from longtrail.runs.store import Run

    run = Run.open(session.config.stash[FOLDER])
    _end_if_stopped(session, run)
    try:
        yield
    except UsageError as error:
        run.stop(str(error))
    _end_if_stopped(session, run)


def _end_if_stopped(session: pytest.Session, run: "Run") -> None:
    if reason := run.stop_reason:
        if hasattr(session.config, "workerinput"):
            session.shouldstop = reason  # what the controller reads a worker's end from
        pytest.exit(reason, returncode=4)


def case_of(item: pytest.Item) -> "Planned | None":
    """The case that a test runs, or None for any other test."""
    callspec = getattr(item, "callspec", None)
    found = callspec.params.get("planned") if callspec else None
    return found if hasattr(found, "case") else None


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """No key stands in a log that pytest keeps or shows, whoever logged it."""
    logs = session.config.pluginmanager.getplugin("logging-plugin") if OPTIONS in session.config.stash else None
    if logs is not None:
        from longtrail.llm.secrets import SecretFilter

        for handler in (logs.caplog_handler, logs.report_handler, logs.log_file_handler, logs.log_cli_handler):
            handler.addFilter(SecretFilter())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """No key stands in a report, whatever was logged, printed, or held by a variable that a traceback shows."""
    from longtrail.llm.secrets import redact

    report = yield
    report.sections = [(name, redact(text)) for name, text in report.sections]
    if report.longrepr is not None and redact(text := str(report.longrepr)) != text:
        report.longrepr = redact(text)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_report_teststatus(config: pytest.Config) -> Generator[None, Any, Any]:
    """No dots for benchmark cases: the live line says more."""
    status = yield
    if status and config.pluginmanager.hasplugin("longtrail-controller") and not config.option.verbose > 0:
        status = (status[0], "", status[2])
    return status
