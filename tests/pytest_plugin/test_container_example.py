"""The example of an agent in a container, tested without one: in a network namespace, with another Python."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from longtrail.records.action import Decide
from tests.pytest_plugin.laboratory import CASES, Laboratory
from tests.pytest_plugin.pytest_process import ROOT
from tests.pytest_plugin.test_own_agents import decided

EXAMPLE = ROOT / "examples" / "container"
CASE = CASES["PW-025"]
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
INSIDE = f'ip link set lo up && cd "$AGENT" && exec env -i PATH={PATH} PORT="${{PORT:-}}" DOOR="$DOOR" "$@"'
PROBE = """
import importlib.util, json, socket, sys, urllib.request
errand = json.loads(sys.stdin.readline())
def reached(host, port):
    try:
        socket.create_connection((host, port), 2).close()
        return True
    except OSError:
        return False
open_doors = [f"{host}:{port}" for host, port in (("127.0.0.1", int(sys.argv[1])), ("10.0.0.1", 80), ("1.1.1.1", 443))
              if reached(host, port)]
browser = json.load(urllib.request.urlopen(errand["cdp"] + "/json/version"))["Browser"]
found = {"package": importlib.util.find_spec("longtrail") is not None, "open": open_doors, "browser": browser}
print(json.dumps({"decision": errand["decisions"][0], "justification": json.dumps(found)}))
"""


def namespaces() -> bool:
    if not all(map(shutil.which, ("unshare", "ip"))):
        return False
    return subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not namespaces(), reason="this user can't create network namespaces here")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example, and a script that runs commands in a network namespace, in place of docker."""
    folder = tmp_path / "agent"
    shutil.copytree(EXAMPLE, folder)
    enclose = tmp_path / "enclose.sh"
    enclose.write_text(f"#!/bin/sh\nexec unshare -rn sh -c '{INSIDE}' enclosed \"$@\"\n", encoding="utf-8")
    enclose.chmod(0o755)
    monkeypatch.setenv("ENCLOSE", str(enclose))
    monkeypatch.setenv("AGENT", str(folder))
    return folder


@pytest.fixture
def door(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address, outside of the namespace, of the agent inside."""
    monkeypatch.setenv("DOOR", str(tmp_path))
    agent = [str(tmp_path / "enclose.sh"), "python3", "agent.py", str(tmp_path / "agent.sock")]
    relay = [sys.executable, str(place / "relay.py"), "tcp:0", f"unix:{tmp_path / 'agent.sock'}"]
    with (
        subprocess.Popen(agent, stdout=subprocess.PIPE, text=True) as inside,
        subprocess.Popen(relay, stdout=subprocess.PIPE, text=True) as outside,
    ):
        assert inside.stdout is not None
        assert outside.stdout is not None
        assert inside.stdout.readline() == "ready\n"
        yield f"http://127.0.0.1:{outside.stdout.readline().strip()}"
        inside.terminate()
        outside.terminate()


@pytest.mark.slow
def test_an_http_agent_without_network_plays_a_case(laboratory: Laboratory, door: str) -> None:
    episode = laboratory.play(CASE, door)
    decided(episode)
    assert "fits the task" in episode.steps[0].thought


def test_a_cdp_agent_without_network_reaches_its_browser_alone(laboratory: Laboratory, place: Path) -> None:
    (place / "probe.py").write_text(PROBE, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        episode = laboratory.play(CASE, f"cdp:{place / 'cdp_agent.sh'} python3 probe.py {port}")
    last = episode.steps[-1].action
    assert isinstance(last, Decide), episode.ends
    found = json.loads(last.justification)
    assert found["package"] is False
    assert found["open"] == []
    assert "Chrome" in found["browser"]
