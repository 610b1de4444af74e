"""The public module: what it offers, that examples and documents use nothing else, and that it is cheap to import."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from longtrail import api
from longtrail.records.action import ACTION

ROOT = Path(__file__).resolve().parent.parent
OFFERED = {
    "actions": "Action Back Click Decide Evidence Fill Finish Goto HandoverLine Note Scroll Search Select",
    "actions of the full set": "AnswerDialog Clear CloseTab DoubleClick Drag Forward Hover Mouse NewTab Press ReadFile "
    "RightClick SwitchTab TypeText Upload Wait",
    "agents": "Agent AgentFactory Assignment Equipment Move PastTask Reflection Trees View move_from webagent",
    "agents that call a model": "Message ModelClient Reply",
    "agents with a browser of their own": "AgentReport TaskMessage",
    "sites": "Site World",
    "tasks": "DecisionTask LongContextTask Task load_tasks read_tasks",
    "records": "Case Contender Metric Observation Outcome Result Step Trajectory Usage",
    "errors": "DataError HarnessTrouble LongtrailError UsageError",
}
PUBLIC = {name for name in vars(api) if not name.startswith("_")}


def test_what_is_offered_is_there_and_nothing_else() -> None:
    """Taking a name away breaks users' code: change this list only on purpose, and say so in the CHANGELOG."""
    assert sorted(PUBLIC) == sorted(" ".join(OFFERED.values()).split())


def test_every_action_that_agents_are_offered_is_there() -> None:
    names = {schema["properties"]["type"]["const"]: name for name, schema in ACTION.json_schema()["$defs"].items()
             if "type" in schema["properties"]}  # fmt: skip
    assert set(names.values()) <= PUBLIC
    assert "Click" in names.values()


def test_examples_and_documents_import_from_it_alone() -> None:
    code = {path: path.read_text(encoding="utf-8") for path in (ROOT / "examples").rglob("*.py")}
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")):
        for number, block in enumerate(
            re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        ):
            code[path / str(number)] = block
    modules = {
        (path.relative_to(ROOT), node.module)
        for path, text in code.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "longtrail"
        if path.name != "scripted_frameworks.py"  # no agent, but a server for trying the agents without a model
    }
    assert len(modules) > 5
    assert {module for _, module in modules} == {"longtrail.api", "longtrail.testing"}, modules


def test_it_is_cheap_to_import() -> None:
    heavy = ["litellm", "playwright", "starlette", "uvicorn", "scipy", "numpy", "PIL", "tiktoken", "jinja2", "pytest"]
    code = f"import sys, longtrail.api; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
