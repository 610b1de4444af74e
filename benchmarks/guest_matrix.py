"""Longtrail together with other pytest plugins: a small suite with each, with and without cases of ours, `-n 0` and
`-n 2`.

    python -m benchmarks.guest_matrix [PLUGIN ...] [--keep FOLDER] [--wheel FILE]

Builds the wheel, installs it into a virtual environment *inside* the repository that is tested (`.venv`, as users have
it), and each plugin into a separate folder next to it. For each plugin it runs four sessions of a suite that uses
the plugin. Without cases of ours, exit code, outcomes and files must equal those of the same session with our plugin
blocked. With a case of ours, this case and all tests of the suite must pass. Needs a package index and a
Chromium; takes about ten minutes.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from longtrail.browser.launcher import find_chromium

ROOT = Path(__file__).resolve().parents[1]
BLOCKED = "no:longtrail.pytest_plugin.plugin"
THEIRS = """
import pytest


@pytest.fixture
def planned():
    return "theirs"


@pytest.fixture
def run(planned):
    return planned


@pytest.mark.parametrize("case", ["pw-025-raw-r0", "b", "c"])
def test_parametrized(case, run):
    assert run == "theirs"
"""
OURS = """
import pytest


@pytest.mark.shopping_admin
def test_ours(longtrail_result):
    assert longtrail_result.outcome == "passed", longtrail_result.reason
"""
OUR_CHROMIUM = f"""
import pytest


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": {str(find_chromium())!r}}}
"""


@dataclass(frozen=True)
class Guest:
    """A plugin, and a suite that uses it."""

    package: str
    tests: str
    args: tuple[str, ...] = ()
    ini: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    more: tuple[str, ...] = ()
    """Other packages that its suite needs."""


GUESTS = {
    "pytest-django": Guest(
        "pytest-django",
        "import pytest\n@pytest.mark.django_db\ndef test_db():\n"
        "    from django.contrib.auth.models import User\n    User.objects.create(username='a')\n"
        "    assert User.objects.count() == 1\n"
        "def test_client(client, settings):\n    assert client.get('/none').status_code == 404\n",
        ini="DJANGO_SETTINGS_MODULE = theirs_settings\npythonpath = .",
        files={
            "theirs_settings.py": "SECRET_KEY = 'x'\nROOT_URLCONF = 'theirs_urls'\nALLOWED_HOSTS = ['*']\n"
            "INSTALLED_APPS = ['django.contrib.auth', 'django.contrib.contenttypes']\n"
            "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}}\n",
            "theirs_urls.py": "urlpatterns = []\n",
        },
        more=("django",),
    ),
    "pytest-flask": Guest(
        "pytest-flask",
        "def test_client(client):\n    assert client.get('/').data == b'hello'\n",
        files={
            "conftest.py": "import pytest\nfrom flask import Flask\n@pytest.fixture\ndef app():\n"
            "    made = Flask('x')\n    made.add_url_rule('/', view_func=lambda: 'hello')\n    return made\n"
        },
    ),
    "pytest-asyncio": Guest(
        "pytest-asyncio",
        "import asyncio\nimport pytest\n@pytest.mark.asyncio\nasync def test_it():\n    await asyncio.sleep(0)\n",
        ini="asyncio_default_fixture_loop_scope = function",
    ),
    "pytest-playwright": Guest(
        "pytest-playwright",
        "def test_page(page):\n    page.set_content('<h1>hello</h1>')\n    assert page.inner_text('h1') == 'hello'\n",
        files={"conftest.py": OUR_CHROMIUM},
    ),
    "pytest-playwright-asyncio": Guest(
        "pytest-playwright-asyncio",
        "import pytest\n@pytest.mark.asyncio(loop_scope='session')\nasync def test_page(page):\n"
        "    await page.set_content('<h1>hello</h1>')\n    assert await page.inner_text('h1') == 'hello'\n",
        ("-p", "no:playwright"),  # both have the same options
        ini="asyncio_default_fixture_loop_scope = session",
        files={"conftest.py": OUR_CHROMIUM},
    ),
    "pytest-profiling": Guest("pytest-profiling", "def test_it():\n    assert sum(range(9)) == 36\n", ("--profile",)),
    "pytest-bdd": Guest(
        "pytest-bdd",
        "from pytest_bdd import scenarios, given, then\nscenarios('it.feature')\n"
        "@given('a cucumber', target_fixture='prompt')\ndef _given():\n    return 1\n"
        "@then('there is one')\ndef _then(prompt):\n    assert prompt == 1\n",
        files={"it.feature": "Feature: it\n  Scenario: one\n    Given a cucumber\n    Then there is one\n"},
    ),
    "pytest-randomly": Guest("pytest-randomly", "def test_a():\n    pass\ndef test_b():\n    pass\n"),
    "pytest-timeout": Guest("pytest-timeout", "def test_it():\n    pass\n", ("--timeout=300",)),
    "pytest-rerunfailures": Guest(
        "pytest-rerunfailures",
        "from pathlib import Path\ndef test_flaky(tmp_path_factory):\n"
        "    mark = tmp_path_factory.getbasetemp() / 'seen'\n    first = not mark.exists()\n    mark.touch()\n"
        "    assert not first\n",
        ("--reruns=2",),
    ),
    "pytest-cov": Guest("pytest-cov", "def test_it():\n    pass\n", ("--cov=.", "--cov-report=term")),
    "hypothesis": Guest(
        "hypothesis",
        "from hypothesis import given, strategies as st\n"
        "@given(st.integers())\ndef test_it(n):\n    assert n == n + 0\n",
    ),
    "anyio": Guest("anyio", "import pytest\n@pytest.mark.anyio\nasync def test_it():\n    pass\n", more=("trio",)),
}


@dataclass(frozen=True)
class Session:
    """How one session ended."""

    code: int
    outcomes: str
    files: frozenset[str]
    said: str


class Matrix:
    """The repository that is tested."""

    def __init__(self, base: Path, wheel: Path | None) -> None:
        self.base, self.repository, self.wheel = base, base / "repository", wheel
        self.python = self.repository / ".venv" / "bin" / "python"

    def install(self) -> None:
        """The wheel, into a new environment inside the repository."""
        wheel = self.wheel or self._build()
        _run([sys.executable, "-m", "venv", str(self.repository / ".venv")])
        self._pip("install", "-c", str(ROOT / "constraints.txt"), str(wheel))
        frozen = _run([str(self.python), "-m", "pip", "freeze", "--exclude", "longtrail"])
        (self.base / "frozen.txt").write_text(frozen, encoding="utf-8")

    def _build(self) -> Path:
        _run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(self.base), str(ROOT)])
        (wheel,) = self.base.glob("*.whl")
        return wheel

    def _pip(self, *args: str) -> None:
        _run([str(self.python), "-m", "pip", "-q", "--disable-pip-version-check", *args])

    def add(self, guest: Guest) -> Path:
        """The plugin, in a separate folder."""
        folder = self.base / "plugins" / guest.package
        frozen = str(self.base / "frozen.txt")
        if not folder.exists():
            self._pip("install", "-c", frozen, "--target", str(folder), guest.package, *guest.more)
        return folder

    def suite(self, guest: Guest, *, ours: bool) -> None:
        """The repository's files, new."""
        for path in self.repository.iterdir():
            if path.name != ".venv":
                _remove(path)
        name = "test_theirs.py"
        written = {"pytest.ini": f"[pytest]\n{guest.ini}\n", name: THEIRS, "test_plugin.py": guest.tests, **guest.files}
        for file, text in (written | ({"test_ours.py": OURS} if ours else {})).items():
            (self.repository / file).write_text(text, encoding="utf-8")

    def play(self, plugin: Path, *args: str) -> Session:
        """One session of plain pytest."""
        env = {"PYTHONPATH": str(plugin), "PATH": "/usr/bin:/bin", "HOME": str(Path.home()), "COLUMNS": "120"}
        env |= {"PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            [str(self.python), "-m", "pytest", "-p", "no:cacheprovider", *args],
            cwd=self.repository,
            env=env,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        last = next((line for line in reversed(done.stdout.splitlines()) if " in " in line and "=" in line), "")
        outcomes = ", ".join(re.findall(r"\d+ (?:passed|failed|errors?|rerun|skipped|deselected)", last))
        skipped = (".venv", "prof", ".coverage", ".hypothesis", "__pycache__")
        files = {
            str(path.relative_to(self.repository))
            for path in self.repository.rglob("*")
            if not str(path.relative_to(self.repository)).startswith(skipped)
        }
        return Session(done.returncode, outcomes, frozenset(files), done.stdout + done.stderr)

    def row(self, name: str, guest: Guest) -> list[str]:
        """The result of one plugin's four sessions: `as without`, `passed`, or the problem."""
        plugin, cells = self.add(guest), []
        for workers in ("0", "2"):
            self.suite(guest, ours=False)
            without = self.play(plugin, "-n", workers, *guest.args, "-p", BLOCKED)
            guest_session = self.play(plugin, "-n", workers, *guest.args)
            same = (guest_session.code, guest_session.outcomes) == (
                without.code,
                without.outcomes,
            ) and without.code == 0
            same = same and guest_session.files == without.files and "Longtrail" not in guest_session.said
            cells.append("as without" if same else f"DIFFERS: {without.outcomes} / {guest_session.outcomes}")
            if not same:
                print(without.said[-3000:], guest_session.said[-3000:], file=sys.stderr)
        for workers in ("0", "2"):
            self.suite(guest, ours=True)
            words = ("--task=pw-025", "-m", "raw or not pathways", "--no-shots")
            played = self.play(plugin, "-n", workers, *guest.args, *words)
            fine = played.code == 0 and "1/1 · 1 passed" in played.said
            cells.append(f"passed ({played.outcomes})" if fine else f"FAILED: {played.outcomes}")
            if not fine:
                print(played.said[-5000:], file=sys.stderr)
        return [name, *cells]


def _remove(path: Path) -> None:
    if path.is_dir():
        for inner in path.iterdir():
            _remove(inner)
        path.rmdir()
    else:
        path.unlink()


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=" ".join(__doc__.partition("\n\n")[0].split()))
    parser.add_argument("plugins", nargs="*", metavar="PLUGIN", help=f"of {', '.join(GUESTS)} (default: all)")
    parser.add_argument("--keep", type=Path, default=None, metavar="FOLDER", help="where to work; it is kept")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="test this one; default: it is built")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        matrix = Matrix((args.keep or Path(name)).resolve(), args.wheel)
        if not matrix.python.exists():
            matrix.repository.mkdir(parents=True, exist_ok=True)
            matrix.install()
        print(
            "| plugin | no case, `-n 0` | no case, `-n 2` | one case, `-n 0` | one case, `-n 2` |\n" + "|---" * 5 + "|"
        )
        wrong = False
        for plugin in args.plugins or GUESTS:
            row = matrix.row(plugin, GUESTS[plugin])
            wrong = wrong or any(cell.startswith(("DIFFERS", "FAILED")) for cell in row)
            print(f"| {' | '.join(row)} |", flush=True)
        sys.exit(int(wrong))


if __name__ == "__main__":
    main()
