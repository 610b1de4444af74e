"""`longtrail install-browser` downloads a browser if there is none; a server on loopback replaces Playwright's."""

import io
import os
import random
import resource
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from werkzeug import Request, Response

from tests.episode.flask_shop import served
from tests.pytest_plugin.pytest_process import Done, environment

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the archive's form is that for Linux")


def archive(more: bytes = b"") -> bytes:
    """An archive like Playwright's: executables, and a file with `more`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name in ("chrome-headless-shell-linux64/chrome-headless-shell", "chrome-linux/headless_shell"):
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o755 << 16
            zipped.writestr(entry, "#!/bin/sh\nexit 0\n")
        zipped.writestr("chrome-headless-shell-linux64/resources.pak", more)
    return packed.getvalue()


@dataclass
class Downloads:
    """A server that answers every path with the same bytes."""

    status: int
    body: bytes
    url: str = ""
    asked: list[str] = field(default_factory=list)

    def answer(self, request: Request) -> Response:
        self.asked.append(request.path)
        return Response(self.body, self.status)


@pytest.fixture
def downloads(request: pytest.FixtureRequest) -> Iterator[Downloads]:
    downloads = Downloads(*request.param)
    with served(Request.application(downloads.answer)) as downloads.url:
        yield downloads


def install(folder: Path, host: str, most: int = resource.RLIM_INFINITY) -> Done:
    """Run the command as on a machine without browser and package manager. `most`: maximum bytes of a file."""
    (folder / "bin").mkdir()
    for tool in ("sh", "uname", "env"):
        (folder / "bin" / tool).symlink_to(f"/bin/{tool}")
    env = environment(PATH=str(folder / "bin"), PLAYWRIGHT_BROWSERS_PATH=str(folder / "browsers"))
    env |= {"PLAYWRIGHT_DOWNLOAD_HOST": host, "PLAYWRIGHT_CHROMIUM_DOWNLOAD_HOST": host}
    env.pop("LONGTRAIL_CHROMIUM", None)
    command = [sys.executable, "-m", "longtrail", "install-browser"]
    done = subprocess.run(
        command,
        env=env,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.thorough
@pytest.mark.parametrize("downloads", [(200, archive())], indirect=True)
def test_what_is_downloaded_is_found(downloads: Downloads, tmp_path: Path) -> None:
    done = install(tmp_path, downloads.url)
    assert done.code == 0, done.said[-3000:]
    assert any("headless" in path and path.endswith(".zip") for path in downloads.asked)
    found = Path(done.out.rpartition("browser: ")[2].strip())
    assert found.is_relative_to(tmp_path / "browsers")
    assert os.access(found, os.X_OK)


@pytest.mark.thorough
@pytest.mark.parametrize("downloads", [(404, b"none"), (200, b"no archive")], indirect=True, ids=["missing", "garbage"])
def test_a_download_that_fails_is_told_in_one_line(downloads: Downloads, tmp_path: Path) -> None:
    done = install(tmp_path, downloads.url)
    assert done.code == 4, done.said[-3000:]
    assert downloads.asked
    last = done.err.strip().splitlines()[-1]
    assert "install-browser: no Chromium could be installed" in last


@pytest.mark.thorough
def test_no_network_is_told_in_one_line(tmp_path: Path) -> None:
    done = install(tmp_path, "http://127.0.0.1:9")
    assert done.code == 4, done.said[-3000:]
    assert "install-browser: no Chromium could be installed" in done.err.strip().splitlines()[-1]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "downloads",
    [(200, archive(random.Random(1).randbytes(2_000_000))), (200, archive(bytes(2_000_000)))],
    indirect=True,
    ids=["the archive is too large", "what it holds is"],
)
def test_a_full_disk_is_told_and_leaves_nothing(downloads: Downloads, tmp_path: Path) -> None:
    """A limit on the size of files replaces the full disk."""
    done = install(tmp_path, downloads.url, most=1_000_000)
    assert done.code == 4, done.said[-3000:]
    (told,) = done.err.strip().splitlines()
    assert "no Chromium could be installed: the disk is full, or files may not grow (" in told
    assert "MB free for " in told
    left = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "bin"]
    assert sum(path.stat().st_size for path in left) < 1000, left
    assert not [path for path in left if path.name == "chrome-headless-shell"]
