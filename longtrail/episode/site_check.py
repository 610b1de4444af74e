"""Site check: do the sites of `--site` answer and accept our log-in, and do the apps that tasks name by their address
answer? Checked before the first case is played.
"""

from collections.abc import Iterable, Mapping

from longtrail.episode.open_app import OpenApp
from longtrail.episode.own_apps import SITES, answers
from longtrail.episode.site_log_in import KINDS
from longtrail.errors import UsageError
from longtrail.tasks.app_task import App, AppTask
from longtrail.tasks.task import Task


def check_sites(sites: Mapping[str, str], tasks: Iterable[Task]) -> None:
    """Raise UsageError, in one line, for an unknown name, a site or app that does not answer, or a refused account."""
    on_apps = [task for task in tasks if isinstance(task, AppTask)]
    apps = {task.app.name: task.app for task in on_apps if task.app.name}
    for name, address in sites.items():
        app = apps.get(name)
        if app is None and name in SITES:
            app = App(name=name, address=address, login=SITES[name][0])
        if app is None:
            raise UsageError(
                f"--site {name}: no suite and no app has this name; known are {', '.join({**SITES, **apps})}"
            )
        if problem := answers(f"{address}{app.ready}"):
            raise UsageError(f"--site {name}: {address} does not answer: {problem}")
        if app.login in KINDS:
            OpenApp(app, address).storage()
    named = {task.app.address: task for task in reversed(on_apps) if task.app.address and task.app.name not in sites}
    for address, task in named.items():
        if problem := answers(f"{address.rstrip('/')}{task.app.ready}"):
            raise UsageError(f"{task.id}: app.address: {address} does not answer: {problem}; start the app first")
