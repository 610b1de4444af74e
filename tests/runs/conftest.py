"""Places where copies of runs are kept: in a folder, and on an S3 server."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import fsspec
import pytest

S3 = {"AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture(scope="session")
def s3() -> Iterator[dict[str, str]]:
    """Environment variables for clients of an S3 server on this machine, which has a bucket named `lab`."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {**S3, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        fsspec.filesystem("s3", skip_instance_cache=True).mkdir("lab")
    yield environment
    server.stop()


@pytest.fixture(params=["file", "s3"])
def address(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty place."""
    if request.param == "file":
        return f"file://{tmp_path / 'kept' / 'lab'}"
    for name, value in request.getfixturevalue("s3").items():
        monkeypatch.setitem(os.environ, name, value)
    return f"s3://lab/{uuid.uuid4().hex}"
