"""What `script/release-check` does: build, look into the files, install, and run a new user's first commands."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GUESTS = ("pytest-randomly", "pytest-timeout", "pytest-rerunfailures")
"""Plugins of other people with which the installed wheel must get on; `benchmarks.guest_matrix` tries them all."""
ALLOWED = re.compile(
    r"longtrail/[\w/.-]+\.(py|yaml|json|jsonl|html|svg|jpg|png|js|css|j2|txt|toml|sql|ini|typed)"
    r"|longtrail-[\w.]+\.dist-info/(METADATA|WHEEL|RECORD|entry_points\.txt|licenses/(LICENSE|NOTICE))"
)
FORBIDDEN = re.compile(r"longtrail/(tests|workshop|benchmarks|reports)/|longtrail/(?!benchmark_tests/).*/test_\w+\.py$")
PERSONAL = re.compile(rb"/(?:home|Users)/(?!me\b)[a-z]\w+|/root/|[\w.]+@(?:gmail|outlook|yahoo)\.\w+")
"""Paths and addresses of a machine or a person; `/home/me` is an example in texts."""
FREE = re.compile(
    r"apache|bsd|mit\b|mit-cmu|isc|mpl|mozilla|python software|psf|zlib|unlicense|hpnd|cc0|0bsd|artistic|public domain",
    re.I,
)
"""Licences under which everybody may use what we depend on."""
FIRST_HOUR = (
    "longtrail init",
    "longtrail install-browser",
    "longtrail doctor",
    "pytest evals -q -m long_context --sample 1 --lengths 0 --agent oracle --run first",
    "pytest evals -q --tasks=evals/tasks -m own --run own",
    "longtrail baseline first",
    "pytest evals -q -m long_context --sample 1 --lengths 0 --agent oracle --baseline=reports/baselines/first.json",
    "longtrail runs",
    "longtrail report",
)
"""README's commands, in order; each must end with exit code 0."""


class Failed(Exception):
    """A check that does not hold."""


def main() -> int:
    """Run all checks. Returns 1 at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", nargs="+", default=[], metavar="VERSION", help=f"default: those found of {PYTHONS}")
    parser.add_argument("--unpinned", action="store_true", help="also with the newest releases of what we depend on")
    parser.add_argument("--out", type=Path, help="keep sdist, wheel and SBOM in this folder")
    parser.add_argument("--quick", action="store_true", help="without the guest plugins")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            check(Path(folder), given)
        except Failed as failure:
            print(f"error: {failure}", file=sys.stderr)
            return 1
    return 0


def check(folder: Path, given: argparse.Namespace) -> None:
    """All checks, in the order of what is cheapest."""
    workflows = sorted(map(str, (ROOT / ".github" / "workflows").glob("*.yml")))
    say("workflows: the schema of GitHub's, and known security faults")
    run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows])
    run([str(Path(sys.executable).with_name("zizmor")), "--offline", *workflows])
    say("sdist and wheel")
    dist = folder / "dist"
    run([sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)])
    run([sys.executable, "-m", "twine", "check", "--strict", *map(str, sorted(dist.iterdir()))])
    (wheel,) = dist.glob("*.whl")
    look_into(wheel)
    pythons = {version: python for version in given.python or PYTHONS if (python := find(version))}
    missing = sorted(set(given.python or PYTHONS) - set(pythons))
    say(f"Pythons here: {', '.join(pythons) or 'none'}" + (f"; not found: {', '.join(missing)}" * bool(missing)))
    if not pythons or (given.python and missing):
        raise Failed("a Python is missing (see above)")
    for version, python in pythons.items():
        for pinned in (True, False) if given.unpinned else (True,):
            environment = folder / f"{version}-{'pinned' if pinned else 'newest'}"
            install(python, environment, wheel, pinned=pinned)
            say(f"Python {version}, {'pinned' if pinned else 'newest'} packages: the first hour")
            first_hour(environment)
            check_licences(environment)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        bom = ["-m", "cyclonedx_py", "environment", str(bin_of(environment) / "python"), "--output-file"]
        run([sys.executable, *bom, str(given.out / "sbom.cdx.json")])
        for path in dist.iterdir():
            shutil.copy2(path, given.out)
    if not given.quick:
        say(f"other plugins: {', '.join(GUESTS)}")
        python = bin_of(environment) / "python"
        run([str(python), "-m", "benchmarks.guest_matrix", *GUESTS, "--wheel", str(wheel)], cwd=ROOT)
    say(f"{wheel.name} can be released")


def look_into(wheel: Path) -> None:
    """The wheel holds what it should, and names no machine and no person."""
    with zipfile.ZipFile(wheel) as files:
        names = [name for name in files.namelist() if not name.endswith("/")]
        strangers = [name for name in names if not ALLOWED.fullmatch(name) or FORBIDDEN.search(name)]
        if strangers:
            raise Failed(f"the wheel holds files that it should not: {', '.join(strangers[:10])}")
        for name in names:
            match = PERSONAL.search(files.read(name)) if not name.endswith((".jpg", ".png")) else None
            if match:
                raise Failed(f"{name} in the wheel names a machine or a person: {match[0].decode()}")
    say(f"{len(names)} files in the wheel, {wheel.stat().st_size / 1e6:.1f} MB")


def find(version: str) -> str | None:
    """The interpreter of a version: on PATH, or among pyenv's."""
    python = shutil.which(f"python{version}")
    installed = sorted(
        Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob(f"versions/{version}.*/bin/python")
    )
    for candidate in [*([python] if python else []), *map(str, installed)]:
        if subprocess.run([candidate, "-c", ""], capture_output=True, check=False).returncode == 0:
            return candidate
    return None


def install(python: str, environment: Path, wheel: Path, *, pinned: bool) -> None:
    """A fresh environment with the wheel alone."""
    run([python, "-m", "venv", str(environment)])
    pip = [str(bin_of(environment) / "python"), "-m", "pip", "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", str(wheel), *(["--constraint", str(ROOT / "constraints.txt")] if pinned else [])])
    run([*pip, "check"])


def first_hour(environment: Path) -> None:
    """A new user's commands, in an empty repository outside of this one."""
    with tempfile.TemporaryDirectory() as folder:
        for command in FIRST_HOUR:
            program, *arguments = command.split()
            run([str(bin_of(environment) / program), *arguments], cwd=Path(folder))


def check_licences(environment: Path) -> None:
    """Everything that was installed may be used by everybody."""
    code = (
        "import json; from importlib.metadata import distributions as all; print(json.dumps([[d.metadata['Name'], "
        "' '.join([d.metadata.get('License-Expression') or '', (d.metadata.get('License') or '')[:80], "
        "*(c for c in d.metadata.get_all('Classifier') or [] if c.startswith('License'))])] for d in all()]))"
    )
    licences = json.loads(run([str(bin_of(environment) / "python"), "-c", code]))
    unclear = [f"{name} ({licence.strip() or 'none named'})" for name, licence in licences if not FREE.search(licence)]
    if unclear:
        raise Failed(f"licences that are not known to be free: {'; '.join(unclear)}")
    say(f"{len(licences)} packages, all under free licences")


def bin_of(environment: Path) -> Path:
    """Where an environment keeps its programs."""
    return environment / "bin"


def run(command: Sequence[str], cwd: Path | None = None) -> str:
    """A command's output. Raises Failed with the end of it if it does not end with 0."""
    quiet = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        command, cwd=cwd, env=quiet, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        raise Failed("\n".join([f"{' '.join(command)} ended with {done.returncode}:", *last_lines(done.stdout)]))
    return done.stdout


def last_lines(text: str) -> Iterator[str]:
    """The last lines of an output."""
    yield from text.splitlines()[-40:]


def say(text: str) -> None:
    """One line of progress."""
    print(f"== {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
