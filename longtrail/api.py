"""Import this to write an agent, a site, or a test of your own task. It imports quickly.

Python agents (docs: README, "Evaluate your own agent"): a factory `make(assignment, equipment)` gives an object with
`act(view)`, which returns an action (or a `Move`: an action with a thought), and `observe(outcome, view)`.

    from longtrail.api import Click, Finish

Agents that drive the browser themselves (docs/remote-agent.md) get a `TaskMessage` and return an `AgentReport`.
A site is a module, listed in `longtrail/web/registry.py`, whose `make(vary)` returns a `Site`; its app finds the
episode's `World` in the request's scope.
Tasks are read with `load_tasks` and `read_tasks`. An episode is a `Trajectory`, and its score a `Result`.
"""

from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment, Move, Reflection
from longtrail.agents.cdp.process import AgentReport, TaskMessage
from longtrail.agents.model_answer import move_from
from longtrail.browser.view import Trees, View
from longtrail.errors import DataError, HarnessTrouble, LongtrailError, UsageError
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.records.action import (
    Action,
    Back,
    Click,
    Decide,
    Evidence,
    Fill,
    Finish,
    Goto,
    HandoverLine,
    Note,
    Scroll,
    Search,
    Select,
)
from longtrail.records.full_actions import (
    AnswerDialog,
    Clear,
    CloseTab,
    DoubleClick,
    Drag,
    Forward,
    Hover,
    Mouse,
    NewTab,
    Press,
    ReadFile,
    RightClick,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from longtrail.records.memory import PastTask
from longtrail.records.observation import Observation
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Case, Contender, Outcome, Step, Trajectory, Usage
from longtrail.tasks.loading import load_tasks, read_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.web.site import Site
from longtrail.web.world import World

__all__ = [
    "Action",
    "Agent",
    "AgentFactory",
    "AgentReport",
    "AnswerDialog",
    "Assignment",
    "Back",
    "Case",
    "Clear",
    "Click",
    "CloseTab",
    "Contender",
    "DataError",
    "Decide",
    "DecisionTask",
    "DoubleClick",
    "Drag",
    "Equipment",
    "Evidence",
    "Fill",
    "Finish",
    "Forward",
    "Goto",
    "HandoverLine",
    "HarnessTrouble",
    "Hover",
    "LongContextTask",
    "LongtrailError",
    "Message",
    "Metric",
    "ModelClient",
    "Mouse",
    "Move",
    "NewTab",
    "Note",
    "Observation",
    "Outcome",
    "PastTask",
    "Press",
    "ReadFile",
    "Reflection",
    "Reply",
    "Result",
    "RightClick",
    "Scroll",
    "Search",
    "Select",
    "Site",
    "Step",
    "SwitchTab",
    "Task",
    "TaskMessage",
    "Trajectory",
    "Trees",
    "TypeText",
    "Upload",
    "Usage",
    "UsageError",
    "View",
    "Wait",
    "World",
    "load_tasks",
    "move_from",
    "read_tasks",
    "webagent",
]


def webagent(assignment: Assignment, equipment: Equipment) -> Agent:
    """The built-in `webagent`, for an agent of one's own that wraps it. Raises UsageError without a model."""
    from longtrail.agents.webagent import make

    return make(assignment, equipment)
