"""Versions: what must be equal on every machine of a run, so that any of them can play a case."""

import subprocess
from collections.abc import Mapping

import longtrail
from longtrail.browser.launcher import find_chromium
from longtrail.errors import LongtrailError
from longtrail.llm.tokens import tokenizer_name
from longtrail.runs.manifest import code_checksum, data_checksum, package_versions

CHROMIUM = "Chromium"


def versions() -> dict[str, str]:
    """This machine's versions, without the browser's: a controller needs no browser."""
    own = {"Longtrail": longtrail.__version__, "code": code_checksum(), "data": data_checksum()}
    return {**own, "tokenizer": tokenizer_name(), **package_versions()}


def chromium() -> str:
    """The browser's name and version, `Chromium 150.0.1`; empty if there is none here."""
    try:
        found = find_chromium()
        told = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=120, check=False)  # noqa: S603
    except (LongtrailError, OSError, subprocess.TimeoutExpired):
        return ""
    return " ".join(told.stdout.split())


def refusal(node: str, here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """Why a node can't play; empty if it can. `here`: what it must have; `there`: what it has."""
    if not there.get(CHROMIUM):
        return f"node {node}: no Chromium was found there; run `longtrail install-browser` on it"
    for name, version in here.items():
        if there.get(name) != version:
            return f"node {node}: {name} is {there.get(name) or 'missing'} there and {version} here; all must be alike"
    return ""
