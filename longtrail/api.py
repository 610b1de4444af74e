"""Import this to write an agent, a site, or a test of your own task. It imports quickly.

Python agents (docs: README, "Evaluate your own agent"): a factory `make(assignment, equipment)` gives an object with
`act(view)`, which returns an action (or a `Move`: an action with a thought), and `observe(outcome, view)`.

    from longtrail.api import Click, Finish

Agents that drive the browser themselves (docs/remote-agent.md) get a `TaskMessage` and return an `AgentReport`.
A site is a module, listed in `longtrail/web/registry.py`, whose `make(vary)` returns a `Site`; its app finds the
episode's `World` in the request's scope.
Tasks are read with `load_tasks` and `read_tasks`. An episode is a `Trajectory`, and its score a `Result`.
"""

# `as` the same name: type checkers let only such names be imported from here.
from longtrail.agents.agent import Agent as Agent
from longtrail.agents.agent import AgentFactory as AgentFactory
from longtrail.agents.agent import Assignment as Assignment
from longtrail.agents.agent import Equipment as Equipment
from longtrail.agents.agent import Move as Move
from longtrail.agents.agent import Reflection as Reflection
from longtrail.agents.cdp.process import AgentReport as AgentReport
from longtrail.agents.cdp.process import TaskMessage as TaskMessage
from longtrail.agents.model_answer import move_from as move_from
from longtrail.browser.view import Trees as Trees
from longtrail.browser.view import View as View
from longtrail.errors import DataError as DataError
from longtrail.errors import HarnessTrouble as HarnessTrouble
from longtrail.errors import LongtrailError as LongtrailError
from longtrail.errors import UsageError as UsageError
from longtrail.llm.client import Message as Message
from longtrail.llm.client import ModelClient as ModelClient
from longtrail.llm.client import Reply as Reply
from longtrail.records.action import Action as Action
from longtrail.records.action import Back as Back
from longtrail.records.action import Click as Click
from longtrail.records.action import Decide as Decide
from longtrail.records.action import Evidence as Evidence
from longtrail.records.action import Fill as Fill
from longtrail.records.action import Finish as Finish
from longtrail.records.action import Goto as Goto
from longtrail.records.action import HandoverLine as HandoverLine
from longtrail.records.action import Note as Note
from longtrail.records.action import Scroll as Scroll
from longtrail.records.action import Search as Search
from longtrail.records.action import Select as Select
from longtrail.records.full_actions import AnswerDialog as AnswerDialog
from longtrail.records.full_actions import Clear as Clear
from longtrail.records.full_actions import CloseTab as CloseTab
from longtrail.records.full_actions import DoubleClick as DoubleClick
from longtrail.records.full_actions import Drag as Drag
from longtrail.records.full_actions import Forward as Forward
from longtrail.records.full_actions import Hover as Hover
from longtrail.records.full_actions import Mouse as Mouse
from longtrail.records.full_actions import NewTab as NewTab
from longtrail.records.full_actions import Press as Press
from longtrail.records.full_actions import ReadFile as ReadFile
from longtrail.records.full_actions import RightClick as RightClick
from longtrail.records.full_actions import SwitchTab as SwitchTab
from longtrail.records.full_actions import TypeText as TypeText
from longtrail.records.full_actions import Upload as Upload
from longtrail.records.full_actions import Wait as Wait
from longtrail.records.memory import PastTask as PastTask
from longtrail.records.observation import Observation as Observation
from longtrail.records.result import Metric as Metric
from longtrail.records.result import Result as Result
from longtrail.records.trajectory import Case as Case
from longtrail.records.trajectory import Contender as Contender
from longtrail.records.trajectory import Outcome as Outcome
from longtrail.records.trajectory import Step as Step
from longtrail.records.trajectory import Trajectory as Trajectory
from longtrail.records.trajectory import Usage as Usage
from longtrail.tasks.loading import load_tasks as load_tasks
from longtrail.tasks.loading import read_tasks as read_tasks
from longtrail.tasks.task import DecisionTask as DecisionTask
from longtrail.tasks.task import LongContextTask as LongContextTask
from longtrail.tasks.task import Task as Task
from longtrail.web.site import Site as Site
from longtrail.web.world import World as World


def webagent(assignment: Assignment, equipment: Equipment) -> Agent:
    """The built-in `webagent`, for an agent of one's own that wraps it. Raises UsageError without a model."""
    from longtrail.agents.webagent import make

    return make(assignment, equipment)
