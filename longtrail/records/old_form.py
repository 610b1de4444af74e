"""Old form: converts episodes, results and manifests of form 1, from when the project was called Trailmark, to the
current form. Only names differ: the key of the version, the relocated control, the kinds of appeals.
"""

import json
from typing import Any

FORMER_NAME = "trailmark"
_MARK = f'"{FORMER_NAME}":'.encode()
"""A key of every file of form 1 and of no file of the current form."""
_KINDS = {"trick": "deceptive", "aid": "valid"}


def upgraded(data: bytes) -> bytes:
    """The same record in the current form; unchanged if it already has it. Raises ValueError for invalid JSON."""
    if _MARK not in data:
        return data
    record: dict[str, Any] = json.loads(data)
    _rename(record, FORMER_NAME, "longtrail")
    _rename(record.get("provenance", {}), FORMER_NAME, "longtrail")
    case = record.get("case", {})
    _rename(case, "moved", "relocated")
    case["appeal"] = _KINDS.get(case.get("appeal"), case.get("appeal"))
    if not case["appeal"]:
        del case["appeal"]
    options = record.get("options", {})
    _rename(options, "web_weather", "disruptions")
    _rename(options.get("conditions", {}), "moved", "relocated")
    if "form" in record:
        record["form"] = 2
    return json.dumps(record).encode()


def _rename(record: dict[str, Any], old: str, new: str) -> None:
    if old in record:
        record[new] = record.pop(old)
