"""Long-context tasks and their sites: no key step is a home page, and its pages are served without a redirect.

`tests/pytest_plugin/test_every_task.py` checks in a browser that the references hit every key step.
"""

import pytest

from longtrail.checks.key_steps import UrlStep
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import lookup

LONG_CONTEXT = {id: t for id, t in load_tasks(TASKS / "long_context").items() if isinstance(t, LongContextTask)}


@pytest.mark.parametrize("name", LONG_CONTEXT)
def test_key_steps_are_no_home_pages_and_no_redirects(name: str) -> None:
    task = LONG_CONTEXT[name]
    replica = sites.replica(task.host)
    home = lookup(replica.spec.navigation.home)
    for key in (*task.a1.key_steps, *task.a2.key_steps):
        if isinstance(key, UrlStep):
            assert "/" not in key.paths
            assert home not in {lookup(path) for path in key.paths}
            served = [path for path in key.paths if "*" not in path and lookup(path) in replica.addresses]
            assert served or any("*" in path for path in key.paths), key
