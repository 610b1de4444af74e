"""The pytest plugin: options, parameters, and the decision whether a session evaluates agents.

pytest loads this module in every repository whose environment has Longtrail installed. A session without our cases
loads only the table of flags besides it, and is not changed. The evaluation is registered when a test requests one of
our fixtures, and begins when a test that plays a planned case was collected.
"""

from argparse import SUPPRESS
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from longtrail.paths import PACKAGE, shipped
from longtrail.pytest_plugin.markers import register_markers

if TYPE_CHECKING:
    from longtrail.options.run_options import Options
    from longtrail.pytest_plugin.evaluation import Evaluation
    from longtrail.tasks.cases import Planned

OPTIONS: pytest.StashKey["Options"] = pytest.StashKey()
"""The checked command line, in every process that plays cases."""
FOLDER: pytest.StashKey[Path] = pytest.StashKey()
"""The run's folder, in the same processes."""
JOINED: pytest.StashKey["Evaluation"] = pytest.StashKey()
BEGAN: pytest.StashKey[str] = pytest.StashKey()
WORKERS: pytest.StashKey[int] = pytest.StashKey()
APPS = "longtrail.pytest_plugin.app_fixture"
APP_RUN = "longtrail-run"
APP_RUNS: pytest.StashKey[set[str]] = pytest.StashKey()
SHORT: pytest.StashKey[set[str]] = pytest.StashKey()
"""The short forms that we registered."""
REFUSED: pytest.StashKey[str] = pytest.StashKey()
"""In a worker: why its shard is impossible."""
OURS = "longtrail_"
"""The prefix of our fixtures' names."""
CASE = f"{OURS}case"
"""The parameter that carries a planned case."""


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
    from longtrail.pytest_plugin.free_names import free

    group = parser.getgroup("longtrail")
    for flag in asked:
        if free(parser, flag.name):
            shown = flag.shown_help() if flag.listed_short and known.help else SUPPRESS
            group.addoption(
                flag.name, **{**flag.settings, "dest": flag.pytest_option, "default": SUPPRESS, "help": shown}
            )
            early_config.stash.setdefault(SHORT, set()).add(flag.name)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    register_markers(config)
    if short := config.stash.get(SHORT, None):
        from longtrail.options.plan import check_folders

        with _in_one_line():
            check_folders(config.invocation_params.args, config.inipath, config.invocation_params.dir, short)
    if config.option.longtrail_estimate and hasattr(config.option, "dist"):  # one process is enough
        config.stash[WORKERS] = len(config.option.tx or ())
        config.option.dist, config.option.tx, config.option.numprocesses = "no", [], 0


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """`-n auto` with a model: as many workers, and episodes in each, as this machine can run. None: xdist decides."""
    if not config.option.longtrail_model:
        return None
    from longtrail.pytest_plugin.worker_count import auto_workers

    return auto_workers(config.option, config.rootpath)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: Sequence[Any]) -> None:
    """With a model, workers share the memory of what they import."""
    if config.option.longtrail_model:
        from longtrail.pytest_plugin.forked_workers import SUPPORTED, fork_workers

        if SUPPORTED:
            config.add_cleanup(fork_workers(specs, calls_models=not config.option.longtrail_replay))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    from longtrail.pytest_plugin.worker_note import SENT, note_of

    config, chosen = node.config, node.config.option.longtrail_episodes_per_worker  # `-n auto` may have set it
    node.workerinput[SENT] = [_began(config), str(config.rootpath), str(note_of(node)), chosen]


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


def join(config: pytest.Config) -> "Evaluation":
    """What this session evaluates. The first call registers our markers and fixtures."""
    if JOINED not in config.stash:
        from longtrail.pytest_plugin.evaluation import Evaluation
        from longtrail.pytest_plugin.parent_watch import end_with_parent
        from longtrail.pytest_plugin.worker_note import SENT

        sent = getattr(config, "workerinput", {}).get(SENT) or [_began(config), str(config.rootpath)]
        config.option.longtrail_episodes_per_worker = (sent[3:] or [config.option.longtrail_episodes_per_worker])[0]
        config.stash[JOINED] = Evaluation(config, *sent[:2])
        if hasattr(config, "workerinput"):
            end_with_parent()
        fixtures = shipped("fixtures")
        if fixtures.parent == PACKAGE:  # a clone's conftest.py names them
            for file in sorted(fixtures.glob("[!_]*.py")):
                config.pluginmanager.import_plugin(f"longtrail.fixtures.{file.stem}")
    return config.stash[JOINED]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: object) -> Generator[None, Any, Any]:
    """If a test requests one of our fixtures, also through another one, register ours and generate it again."""
    made, config = (yield), collector.config
    asked = getattr(made[0], "fixturenames", ()) if isinstance(made, list) and made else ()
    ours = JOINED not in config.stash and any(word.startswith(OURS) for word in asked)
    if ours:
        join(config)
    if apps := "web_agent" in asked and not config.pluginmanager.has_plugin(APPS):
        config.pluginmanager.import_plugin(APPS)
    return collector.ihook.pytest_pycollect_makeitem(collector=collector, name=name, obj=obj) if ours or apps else made


def pytest_report_teststatus(report: Any, config: pytest.Config) -> None:
    told = {str(value) for name, value in getattr(report, "user_properties", ()) if name == APP_RUN}
    if told and not hasattr(config, "workerinput"):
        config.stash.setdefault(APP_RUNS, set()).update(told)


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    if exitstatus == 5 and JOINED not in config.stash and config.option.longtrail_tasks:
        terminalreporter.write_line("--tasks: no test here plays cases; `longtrail init` writes evals/, whose tests do")
    if folders := config.stash.get(APP_RUNS, None):
        from longtrail.pytest_plugin.app_session import show

        show(terminalreporter, folders)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if CASE in metafunc.fixturenames:
        own = {mark.name for mark in metafunc.definition.iter_markers()}
        cases = [
            pytest.param(planned, id=name, marks=[getattr(pytest.mark, mark) for mark in marks])
            for name, planned, marks in join(metafunc.config).cases(own)
        ]
        metafunc.parametrize(CASE, cases)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, None, None]:
    """First report options that can't work, in one line. Last remove tests by `--sample` and tests without a case."""
    ours = _ours(config, items)
    if not ours:
        return (yield)
    from longtrail.errors import LongtrailError

    evaluation, kept = config.stash[JOINED], []
    if hasattr(config, "workerinput"):
        if evaluation.problem():  # the controller gets the same error and reports it
            kept, config.option.markexpr, config.option.keyword = ours[:1], "", ""
    else:
        with _in_one_line():
            evaluation.check()
    yield
    if kept:
        items[:] = kept
        return
    cases = [case for item in items if (case := case_of(item)) is not None]
    try:
        chosen = evaluation.chosen(cases)
    except LongtrailError as error:
        if not hasattr(config, "workerinput"):
            items.clear()  # otherwise pytest reports its collection, which would begin the run
            raise pytest.UsageError(str(error)) from error
        config.stash[REFUSED], chosen = str(error), {cases[0].case.id}  # the controller reports it
    gone = {item for item in items if item in ours and ((case := case_of(item)) is None or case.case.id not in chosen)}
    if gone:
        config.hook.pytest_deselected(items=[item for item in items if item in gone])
        items[:] = [item for item in items if item not in gone]


def _ours(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that play a case, or the placeholder."""
    return [item for item in items if CASE in getattr(item, "fixturenames", ())] if JOINED in config.stash else []


def case_of(item: pytest.Item) -> "Planned | None":
    """The case that a test plays; None for other tests."""
    callspec = getattr(item, "callspec", None)
    found = callspec.params.get(CASE) if callspec else None
    return found if hasattr(found, "case") else None


@contextmanager
def _in_one_line() -> Iterator[None]:
    from longtrail.errors import LongtrailError

    try:
        yield
    except LongtrailError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Without workers, and in each worker: at this point it is known whether this process plays cases."""
    config = session.config
    ours = _ours(config, session.items)
    if not ours or config.option.collectonly:
        return
    evaluation, names = config.stash[JOINED], [item.nodeid for item in ours]
    if hasattr(config, "workerinput"):
        from longtrail.pytest_plugin.worker_note import write_note

        refused = config.stash.get(REFUSED, "")
        write_note(config, {"tests": names, "whole": evaluation.whole, "refused": refused})
        if not evaluation.problem():
            _play_here(config, names)
    elif config.option.longtrail_estimate:
        from longtrail.pytest_plugin.estimate_session import EstimateSession

        with _in_one_line():
            estimate = EstimateSession(evaluation.options, case_of, config.stash.get(WORKERS, 1))
        config.pluginmanager.register(estimate, "longtrail-estimate")
    else:
        _begin(config, names)
        _play_here(config, names)


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_node_collection_finished(node: Any) -> None:
    """With workers: the first that has collected cases begins the run in the controller."""
    from longtrail.pytest_plugin.worker_note import take_note

    if told := take_note(node):
        if told["refused"]:
            raise pytest.UsageError(told["refused"])
        if FOLDER not in node.config.stash:
            join(node.config).whole = tuple(told["whole"])
            _begin(node.config, told["tests"])


def _begin(config: pytest.Config, nodeids: Sequence[str]) -> None:
    """Begin the run of these tests: files are written from now on."""
    from longtrail.pytest_plugin.case_reports import no_keys_in_reports

    evaluation = join(config)
    with _in_one_line():
        controller = evaluation.begin(nodeids)
    config.stash[FOLDER] = controller.folder
    no_keys_in_reports(config, nodeids)
    if (gate := evaluation.gate(controller.run)) and (reason := gate.refuse(evaluation.options.contenders[0])):
        pytest.exit(f"gate: INVALID: {reason}", returncode=gate.rules.exit_code("INVALID"))


def _play_here(config: pytest.Config, nodeids: Sequence[str]) -> None:
    """Prepare this process to play cases: set what the fixtures read, and remove keys from logs and reports."""
    from longtrail.pytest_plugin.case_reports import no_keys_in_logs, no_keys_in_reports

    evaluation = config.stash[JOINED]
    config.stash[OPTIONS], config.stash[FOLDER] = evaluation.options, evaluation.folder
    no_keys_in_logs(config)
    if hasattr(config, "workerinput"):
        no_keys_in_reports(config, nodeids)
