"""Command rules: which CDP commands an agent's program may send to its browser, and in which form.

Programs get what they need to read and use pages. They don't get what crashes the browser, reads or writes files of
this machine, opens a context that nobody observes, or gives a page CDP of its own.
"""

import re
from pathlib import Path
from typing import Any

Command = dict[str, Any]

_DOMAINS = """
Accessibility Animation Audits CSS CacheStorage Console DOM DOMDebugger DOMSnapshot DOMStorage Debugger
DeviceOrientation Emulation Fetch IO IndexedDB Input Inspector LayerTree Log Network Overlay Page Performance Profiler
Runtime Schema Security ServiceWorker Storage WebAuthn
"""
DOMAINS = frozenset(_DOMAINS.split())
"""Domains whose commands concern pages."""
_METHODS = """
Browser.cancelDownload Browser.getVersion Browser.getWindowBounds Browser.getWindowForTarget Browser.grantPermissions
Browser.resetPermissions Browser.setContentsSize Browser.setDownloadBehavior Browser.setPermission
Browser.setWindowBounds Target.activateTarget Target.attachToBrowserTarget Target.attachToTarget
Target.autoAttachRelated Target.closeTarget Target.createTarget Target.detachFromTarget Target.getBrowserContexts
Target.getTargetInfo Target.getTargets Target.setAutoAttach Target.setDiscoverTargets
"""
METHODS = frozenset(_METHODS.split())
"""Commands of other domains."""
_REFUSED = "DOM.getFileInfo Network.loadNetworkResource Page.crash Page.handleFileChooser Page.setDownloadBehavior"
REFUSED = frozenset(_REFUSED.split())
"""Commands of DOMAINS that are refused."""
SCHEMES = ("http", "https", "data", "blob")
"""What may be opened, besides `about:blank`. Chromium's own pages (`chrome://crash`) and files are refused."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):")


class RefusedCommand(Exception):
    """A command that is not passed on."""


def checked(command: Command, downloads: Path) -> Command:
    """The command in the form in which it is passed on. `downloads`: the folder for downloaded files. Raises
    RefusedCommand with the reason."""
    method, params = command.get("method"), command.get("params", {})
    if not isinstance(method, str) or not isinstance(params, dict):
        raise RefusedCommand("a command has a method, and its parameters are an object")
    if method in REFUSED or (method.partition(".")[0] not in DOMAINS and method not in METHODS):
        raise RefusedCommand("it is not among the commands that agents may use")
    if method in ("Page.navigate", "Target.createTarget"):
        _check_address(params.get("url", ""))
    if (method == "DOM.setFileInputFiles" and params.get("files")) or (
        method == "Input.dispatchDragEvent" and _of(params, "data").get("files")
    ):
        raise RefusedCommand("the case offers no files")
    if method == "Browser.setDownloadBehavior" and "downloadPath" in params:
        return {**command, "params": {**params, "downloadPath": str(downloads)}}
    return command


def _of(params: dict[str, Any], name: str) -> dict[str, Any]:
    value = params.get(name)
    return value if isinstance(value, dict) else {}


def _check_address(url: object) -> None:
    """Raises RefusedCommand for an address outside of the web. Browsers ignore line breaks, and spaces at the ends."""
    address = re.sub(r"[\t\r\n]", "", str(url)).strip("".join(map(chr, range(33)))).lower()
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1] not in SCHEMES and address not in ("about:blank", "about:srcdoc"):
        raise RefusedCommand(f"{str(url)[:200]} is no page of the web")
