"""Engines: which one the command line asks for."""

from typing import Any

from longtrail.errors import UsageError
from longtrail.options.flag_groups import THIS_MACHINE
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.remote.engine import Engine


def engine_for(config: Any, options: Options) -> Engine | None:
    """The engine that plays this session's cases, checked; None: this process, one after the other. `config`: pytest's.

    Raises UsageError for one that can't play: nothing is written yet.
    """
    engine = _engine(config, options)
    if engine is not None:
        engine.check()
    return engine


def _engine(config: Any, options: Options) -> Engine | None:
    local = len(config.getoption("tx", None) or ()) if config.getoption("dist", "no") != "no" else 0
    if options.ray is None:
        if options.ray_workers is not None:
            raise UsageError("--ray-workers: needs --ray")
        if options.ray_runtime_env is not None:
            raise UsageError("--ray-runtime-env: needs --ray ADDRESS")
        from longtrail.pytest_plugin.workers import Xdist

        return Xdist(local) if local else None
    if local:
        raise UsageError("--ray and -n: give only one of them; --ray-workers is the number of workers on the cluster")
    from longtrail.pytest_plugin.remote.ray_cluster import read_runtime_env
    from longtrail.pytest_plugin.remote.ray_engine import RayEngine
    from longtrail.pytest_plugin.remote.setup import check_paths, not_sent, project

    if options.ray != THIS_MACHINE:
        check_paths(config)
        if options.cassette and options.cassette.mode == "record":
            raise UsageError("--record: the calls would stay on the cluster's machines; record without --ray ADDRESS")
    root = project(config)[0]
    if options.ray == THIS_MACHINE and options.ray_runtime_env is not None:
        raise UsageError("--ray-runtime-env: needs --ray ADDRESS; on this machine, install packages where pytest is")
    needed = read_runtime_env(options.ray_runtime_env)
    return RayEngine(options.ray, options.ray_workers, root, not_sent(root, options.reports), needed)
