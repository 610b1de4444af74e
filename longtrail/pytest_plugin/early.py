"""Early: whether a test's case can be played before the test runs, with the same result.

It can't if something of the project's own comes before `longtrail_result`: a fixture that replaces one of ours or
prepares something, a hook, or a mark that may skip the test. Such cases are played when their tests run.
"""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from longtrail.options.run_options import Options
from longtrail.paths import shipped
from longtrail.pytest_plugin.episode_context import on_own_app
from longtrail.pytest_plugin.plugin import case_of

RESULT = "longtrail_result"
DECIDING = (
    "longtrail_options",
    "longtrail_run",
    "longtrail_contender",
    "longtrail_agent_factory",
    "longtrail_prompt",
    "longtrail_episode_context",
    RESULT,
    "longtrail_player",
    "longtrail_web",
    "longtrail_worker",
    "longtrail_view",
    "longtrail_browser",
    "longtrail_limiter",
    "longtrail_model_client",
    "longtrail_judge_client",
    "longtrail_noise_pool",
    "longtrail_first_parts",
)
"""Fixtures that say how a case is played. If a project overrides one, its object may not be safe in several threads,
and the player has ours."""
MAY_SKIP = ("skip", "skipif")
SETUP = "pytest_runtest_setup"


_KNOWN: WeakKeyDictionary[Any, Sequence[Any] | None] = WeakKeyDictionary()
"""Test -> the project's fixtures of the whole session that must be open first; None: it can never be early. Looking it
up takes a millisecond, and each test is looked at many times."""
_INSTALLED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
"""A session's configuration -> top-level names of the modules of its installed plugins."""


def can_be_early(item: Any, options: Options) -> bool:
    """Whether a test's case can be played before the test runs."""
    if item not in _KNOWN:
        _KNOWN[item] = _first(item, options)
    first = _KNOWN[item]
    return first is not None and all(fixture.cached_result is not None for fixture in first)


def _first(item: Any, options: Options) -> Sequence[Any] | None:
    planned = case_of(item)
    if planned is None or RESULT not in item.fixturenames or on_own_app(planned, options):
        return None
    manager = item.session._fixturemanager
    if any(len(manager.getfixturedefs(name, item) or ()) != 1 for name in DECIDING) or _may_be_skipped(item):
        return None
    own = [fixture for fixture in _asked(item) if _comes_before(fixture, item)]
    return own if all(fixture.scope == "session" and not fixture.params for fixture in own) else None


def _may_be_skipped(item: Any) -> bool:
    if any(item.get_closest_marker(name) for name in MAY_SKIP):
        return True
    if any(mark.kwargs.get("run") is False for mark in item.iter_markers("xfail")):
        return True
    hooks = getattr(item.ihook, SETUP).get_hookimpls()
    return any(not _installed(hook.function.__module__, item.config) for hook in hooks)


def _asked(item: Any) -> list[Any]:
    """The definitions of a test's fixtures that are used."""
    known: Mapping[str, Sequence[Any]] = item._fixtureinfo.name2fixturedefs
    return [known[name][-1] for name in item.fixturenames if known.get(name)]


def _comes_before(fixture: Any, item: Any) -> bool:
    """Whether a fixture may prepare something that the case needs: it is neither ours nor pytest's, and doesn't ask for
    the result itself. What installed plugins prepare for every test doesn't count."""
    name, module = fixture.argname, fixture.func.__module__
    if not name.startswith("_xunit_setup_"):  # pytest's, but it calls functions of the project's
        if module.startswith("_pytest.") or _is_ours(module):
            return False
        if name in item.session._fixturemanager._getautousenames(item) and _installed(module, item.config):
            return False
    return not _asks_for_the_result(name, item)


def _asks_for_the_result(name: str, item: Any) -> bool:
    known, seen, todo = item._fixtureinfo.name2fixturedefs, set[str](), [name]
    while todo:
        seen.add(one := todo.pop())
        todo += [asked for each in known.get(one, ()) for asked in each.argnames if asked not in seen]
    return RESULT in seen


def _is_ours(module: str) -> bool:
    file = getattr(sys.modules.get(module), "__file__", None)
    return file is not None and Path(file).parent == shipped("fixtures")


def _installed(module: str, config: Any) -> bool:
    """Whether a module belongs to pytest, to Longtrail or to an installed plugin."""
    if config not in _INSTALLED:
        plugins = (plugin for plugin, _ in config.pluginmanager.list_plugin_distinfo())
        names = {getattr(plugin, "__name__", type(plugin).__module__).partition(".")[0] for plugin in plugins}
        _INSTALLED[config] = {"_pytest", "pytest", "xdist", "longtrail", *names}
    return module.partition(".")[0] in _INSTALLED[config]
