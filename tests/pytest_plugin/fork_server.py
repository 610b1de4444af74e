"""Fork server: runs pytest many times, each time in a process forked from this one. This process has imported, read
and compiled what all runs need, which is most of the cost of a short run.

For each run it reads one line of JSON, the arguments of `play`, and answers with one line: the run's exit code,
negative for a signal. `pytest_process` starts it.
"""

import atexit
import gc
import json
import os
import signal
import sys
import threading
from importlib import import_module

MODULES = (
    "longtrail.pytest_plugin.evaluation",
    "longtrail.episode.runner",
    "longtrail.web.sealed",
    "longtrail.site.build",
)
"""These and their imports are all that a run needs, but for the plugin and the fixtures, which pytest must import."""


def prepare() -> None:
    """Load what all runs have in common. Starts no thread and no browser, and imports no model library."""
    for module in MODULES:
        import_module(module)
    from longtrail.llm.tokens import count
    from longtrail.report.template_page import templates
    from longtrail.tasks.loading import load_tasks
    from longtrail.web.registry import all_sites
    from longtrail.web.sites.search.index import index

    load_tasks()
    all_sites()
    index()
    count("")
    for name in templates().list_templates():
        templates().get_template(name)
    for name, module in sys.modules.items():
        if "." not in name:  # else pytest warns that it can no longer rewrite these packages with plugins
            module.__doc__ = f"{module.__doc__} PYTEST_DONT_REWRITE"
    gc.collect()
    gc.freeze()  # a collection in a fork would write to every page of memory, and so copy it


def play(args: list[str], folder: str, environment: dict[str, str], out: str, err: str, seconds: int) -> int:
    """In the forked process: what `python -m pytest ARGS` does in a folder. SIGALRM ends it after `seconds`."""
    for descriptor, path in enumerate((os.devnull, out, err)):
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(opened, descriptor)
        os.close(opened)
    signal.alarm(seconds)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]

    import pytest

    sys.argv = [pytest.__file__, *args]
    return int(pytest.main())


def end(code: int) -> None:
    """End this process as the interpreter does, but without freeing its memory, which takes long."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    prepare()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            end(play(**json.loads(line)))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
