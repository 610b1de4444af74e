"""Registry: from what `--agent` was given to an agent factory. A built-in agent's name is its module's name."""

import importlib
import os
import pkgutil
import sys
from types import ModuleType
from typing import cast

import longtrail.agents
import longtrail.agents.baselines
from longtrail.agents.agent import BROWSERGYM, AgentFactory
from longtrail.errors import UsageError

MODEL_AGENTS = frozenset({"webagent", "irag", "audit"})
"""Built-in agents that talk to a model; the others can't use one."""


def factory(name: str) -> AgentFactory:
    """The factory of a built-in agent, of `package.module:callable`, or of the agent served at `http://...`.
    An agent that drives the browser itself (`cdp:...`) has none: its name is only checked.

    Raises UsageError, in one line, for a name that leads nowhere.
    """
    if name.startswith(("http://", "https://")):
        from longtrail.agents import remote

        return remote.at(name)
    if name.startswith("cdp:"):
        from longtrail.agents import cdp

        return cdp.drives_itself(name)
    if name.startswith(BROWSERGYM):
        from longtrail.agents import browsergym

        return browsergym.around(_custom(name.removeprefix(BROWSERGYM)))
    if ":" in name:
        return _custom(name)
    if name in _modules():
        make = getattr(importlib.import_module(_modules()[name]), "make", None)
        if make is not None:
            return cast(AgentFactory, make)
    raise UsageError(
        f"unknown agent {name!r}: known are {', '.join(known())}; also `package.module:factory`, `http://host:port`, "
        "`browsergym:package.module:factory` and `cdp:...`"
    )


def known() -> tuple[str, ...]:
    """Names of the built-in agents: the modules of this package that have a `make`."""
    return tuple(
        name for name, module in sorted(_modules().items()) if hasattr(importlib.import_module(module), "make")
    )


def _modules() -> dict[str, str]:
    """Name -> the module's full name, baselines included."""
    return {
        module.name: f"{package.__name__}.{module.name}"
        for package in (longtrail.agents, longtrail.agents.baselines)
        for module in pkgutil.iter_modules(package.__path__)
    }


def _custom(name: str) -> AgentFactory:
    """`package.module:callable`, importable from the current directory too."""
    path, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: ModuleType | object = importlib.import_module(path)
    except ImportError as error:
        raise UsageError(f"agent {name!r}: can't import {path!r}: {error}") from error
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise UsageError(f"agent {name!r}: {path!r} has no callable {attribute!r}")
    return cast(AgentFactory, found)
