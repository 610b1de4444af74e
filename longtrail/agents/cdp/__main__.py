"""The agent's process, for a Python function: a TaskMessage from standard input, an AgentReport to standard output."""

import asyncio
import inspect
import json
import os
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from longtrail.agents.cdp.process import TaskMessage
from longtrail.agents.spec import load_callable


def main(name: str) -> None:
    """Call the function `package.module:function` and print its report as the last line."""
    solve = load_callable(name, f"agent 'cdp:{name}'")
    message = Path("/dev/stdin").read_bytes() if os.name != "nt" else sys.stdin.buffer.read()
    report = solve(TaskMessage.model_validate_json(message))
    if inspect.isawaitable(report):
        report = asyncio.run(_awaited(report))
    if isinstance(report, BaseModel):
        report = report.model_dump(mode="json")
    print(f"\n{json.dumps(report if isinstance(report, dict) else {'answer': str(report)})}", flush=True)


async def _awaited(report: Any) -> Any:
    return await report


if __name__ == "__main__":
    main(sys.argv[1])
