"""Which commands are passed on, and which are refused."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.cdp.command_filter import RefusedCommand, checked

FOLDER = Path("/tmp/case")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Page.navigate", {"url": "https://forum.test/"}),
        ("Page.navigate", {"url": "about:blank"}),
        ("Target.createTarget", {"url": ""}),
        ("Runtime.evaluate", {"expression": "1"}),
        ("DOM.setFileInputFiles", {"files": []}),
        ("Input.dispatchDragEvent", {"data": {"items": []}}),
        ("Browser.getVersion", {}),
        ("Target.setAutoAttach", {"autoAttach": True}),
    ],
)
def test_what_pages_need_is_passed_on_as_it_is(method: str, params: dict[str, Any]) -> None:
    command = {"id": 1, "method": method, "params": params}
    assert checked(command, FOLDER) is command


@pytest.mark.parametrize(
    ("method", "params"),
    [
        *((method, {}) for method in ("Page.crash", "Browser.crash", "Browser.close", "Tracing.start", "Nothing", "")),
        *(
            ("Page.navigate", {"url": url})
            for url in (
                "file:///etc/passwd",
                "chrome://crash",
                "about:crash",
                " \x01Chrome:\n//kill",
                "view-source:file:",
            )
        ),
        ("Target.createTarget", {"url": "devtools://devtools"}),
        ("Target.exposeDevToolsProtocol", {}),
        ("DOM.setFileInputFiles", {"files": ["/etc/passwd"]}),
        ("Input.dispatchDragEvent", {"data": {"files": ["/etc/passwd"]}}),
        ("Page.navigate", "x"),
        (None, {}),
    ],
)
def test_all_else_is_refused(method: Any, params: Any) -> None:
    with pytest.raises(RefusedCommand):
        checked({"id": 1, "method": method, "params": params}, FOLDER)


def test_downloads_go_into_the_folder_of_the_case() -> None:
    command = {"method": "Browser.setDownloadBehavior", "params": {"behavior": "allow", "downloadPath": "/home"}}
    assert checked(command, FOLDER)["params"] == {"behavior": "allow", "downloadPath": str(FOLDER)}
