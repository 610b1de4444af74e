"""Old form: converts episodes, results and manifests from when the project was called Trailmark (form 1) to today's
form. Only names changed: the version's key, the relocated control, the kinds of appeals.
"""

import json
from typing import Any

FORMER_NAME = "trailmark"
_MARK = f'"{FORMER_NAME}":'.encode()
"""In every file of form 1, and in no file of today's form."""
_KINDS = {"trick": "deceptive", "aid": "valid"}


def upgraded(data: bytes) -> bytes:
    """The same record in today's form; unchanged if it has that form. Raises ValueError for invalid JSON."""
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
