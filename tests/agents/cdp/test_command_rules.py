"""Which commands are passed on, and which are refused."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.agents.cdp.command_filter import RefusedCommand, checked
from tests.tables import tables_of

TABLES = tables_of(__file__)

FOLDER = Path("/tmp/case")


@pytest.mark.parametrize(("method", "params"), TABLES["what_pages_need_is_passed_on_as_it_is"])
def test_what_pages_need_is_passed_on_as_it_is(method: str, params: dict[str, Any]) -> None:
    command = {"id": 1, "method": method, "params": params}
    assert checked(command, FOLDER) is command


@pytest.mark.parametrize(("method", "params"), TABLES["all_else_is_refused"])
def test_all_else_is_refused(method: Any, params: Any) -> None:
    with pytest.raises(RefusedCommand):
        checked({"id": 1, "method": method, "params": params}, FOLDER)


def test_downloads_go_into_the_folder_of_the_case() -> None:
    command = {"method": "Browser.setDownloadBehavior", "params": {"behavior": "allow", "downloadPath": "/home"}}
    assert checked(command, FOLDER)["params"] == {"behavior": "allow", "downloadPath": str(FOLDER)}
