"""A cluster and a project for the tests of a module."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import machine
from tests.pytest_plugin.remote.ray_machines import AGENT, NEEDY, Cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    pytest.importorskip("ray")
    made = Cluster()
    yield made
    made.close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository of its own, which Ray copies to the nodes."""
    folder = machine(tmp_path_factory.mktemp("project"))
    (folder / "my_agent.py").write_text(AGENT)
    (folder / "needy_agent.py").write_text(NEEDY)
    (folder / "parts" / "helping").mkdir(parents=True)
    (folder / "parts" / "helping" / "__init__.py").write_text("WORDS = 'with a helper'\n")
    (folder / "needs.yaml").write_text("py_modules: [parts/helping]\nenv_vars: {WHERE: far away}\n")
    (folder / "wrong.yaml").write_text("working_dir: elsewhere\n")
    return folder
