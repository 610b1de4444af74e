"""Engines: which one the command line asks for."""

from typing import Any

from longtrail.errors import UsageError
from longtrail.options.engine_flags import THIS_MACHINE
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.remote.engine import Engine


def engine_for(config: Any, options: Options) -> Engine | None:
    """The engine that plays this session's cases, checked; None: pytest itself plays them. `config`: pytest's.

    Raises UsageError for one that can't: nothing is written yet.
    """
    if options.ray is None:
        if options.ray_workers is not None:
            raise UsageError("--ray-workers: needs --ray")
        return None
    if config.getoption("tx", None) and config.option.dist != "no":
        raise UsageError("--ray and -n: give only one of them; --ray-workers is the number of workers on the cluster")
    from longtrail.pytest_plugin.remote.ray_engine import RayEngine
    from longtrail.pytest_plugin.remote.setup import check_paths, project

    if options.ray != THIS_MACHINE:
        check_paths(config)
        if options.cassette and options.cassette.mode == "record":
            raise UsageError("--record: a cluster's machines bring no cassette back; record without --ray ADDRESS")
    engine = RayEngine(options.ray, options.ray_workers, project(config)[0])
    engine.check()
    return engine
