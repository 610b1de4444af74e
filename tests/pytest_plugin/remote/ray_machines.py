"""A Ray cluster of processes on this machine, and the project whose cases it plays."""

import os
import tempfile
from pathlib import Path
from typing import Any

from longtrail.pytest_plugin.remote.ray_cluster import SETTINGS
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, run_new_pytest

AGENT = '''"""An agent of this project's own. It leaves its process in one case, the first time or always."""

import os
from pathlib import Path

from longtrail.api import Finish


class Mine:
    def __init__(self, leaves):
        self._leaves = leaves

    def act(self, view):
        if self._leaves:
            os._exit(5)
        return Finish(answer=Path(__file__).name)

    def observe(self, outcome, view):
        return None


def make(assignment, equipment):
    return Mine(str(equipment.options.get("leaves", "no such words")) in assignment.prompt)
'''

NEEDY = '''"""An agent that needs a package and a variable."""

import os

from longtrail.api import Finish


class Needy:
    def act(self, view):
        import helping

        return Finish(answer=f"{os.environ['WHERE']} {helping.WORDS}")

    def observe(self, outcome, view):
        return None


def make(assignment, equipment):
    return Needy()
'''


class Cluster:
    """A Ray cluster of processes on this machine: a head without workers, and nodes."""

    def __init__(self, workers: int = 2) -> None:
        """`workers`: how many a node takes."""
        from ray.cluster_utils import Cluster as Nodes

        self._folder = tempfile.TemporaryDirectory(prefix="nodes-", ignore_cleanup_errors=True)  # short: for sockets
        os.environ.update(SETTINGS)
        self._nodes = Nodes(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        self.address, self._workers = str(self._nodes.address), workers
        self.others = [self.join(), self.join()]

    def join(self) -> Any:
        """Add a node with a folder of its own, as on separate machines. From a shared folder, the first node that ends
        would remove the project's copy."""
        own = tempfile.mkdtemp(dir=self._folder.name)
        return self._nodes.add_node(num_cpus=1, resources={"chromium": self._workers}, temp_dir=own)

    def kill(self, node: Any) -> None:
        self._nodes.remove_node(node, allow_graceful=False)

    def kill_head(self) -> None:
        """End the process that all machines must reach."""
        self._nodes.head_node.kill_gcs_server(check_alive=False)

    def close(self) -> None:
        self._nodes.shutdown()
        self._folder.cleanup()


def run(project: Path, *words: str) -> Done:
    return alone("benchmark_tests", *words, cwd=project)


def alone(*words: str, cwd: Path = ROOT, **changes: str) -> Done:
    """pytest in a new process that is no fork: Ray's threads and another PYTHONPATH need one."""
    return run_new_pytest(*words, cwd=cwd, env=environment(**changes), seconds=900)
