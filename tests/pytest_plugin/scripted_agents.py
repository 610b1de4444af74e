"""Agents for runs of tests: `--agent tests.pytest_plugin.scripted_agents:NAME`. Options come from `--agent-arg`."""

import base64
import itertools
import logging
import os
import socket
from collections.abc import Callable
from urllib.parse import quote

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.api import Decide, Finish, Goto, Move, Scroll
from longtrail.browser.view import View
from longtrail.llm.client import Message
from longtrail.records.action import Action
from longtrail.records.trajectory import Outcome


class Scripted:
    """Acts by a function."""

    def __init__(self, act: Callable[[View], Action | Move]) -> None:
        self.act = act

    def observe(self, outcome: Outcome, view: View) -> None:
        """Does nothing."""


def exiting(assignment: Assignment, equipment: Equipment) -> Agent:
    """Ends its worker's process: in every case, or if the prompt contains the option `only`."""

    def act(view: View) -> Action:
        if str(equipment.options.get("only", "")) in assignment.prompt:
            os._exit(5)
        return Finish(answer="done")

    return Scripted(act)


def telling(assignment: Assignment, equipment: Equipment) -> Agent:
    """Opens an address with its key in it, says the key, and gives up."""
    key, moves = os.environ["SHOP_API_KEY"], itertools.count()

    def act(view: View) -> Move:
        address = f"{view.url.partition('?')[0]}?key={key}"
        return Move(action=Finish(answer=key) if next(moves) else Goto(url=address), thought=f"my key is {key}")

    return Scripted(act)


def crashing(assignment: Assignment, equipment: Equipment) -> Agent:
    """Calls the model, then crashes with all keys in its hands."""
    key, password, moves = os.environ["OPENAI_API_KEY"], equipment.options["password"], itertools.count()
    headers = {"Authorization": "Basic " + base64.b64encode(f"user:{key}".encode()).decode()}

    def act(view: View) -> Move:
        assert equipment.model is not None
        said = equipment.model.complete((Message(role="user", text=f"My key is {key}."),))
        logging.getLogger("careless").debug("headers %s", headers)
        print("the password is", password, "and", os.environ["MY_SERVICE_TOKEN"])
        if next(moves):
            raise RuntimeError(f"no answer from https://api.test/?key={quote(key, safe='')} {headers}")
        return Move(action=Scroll(), thought=f"I was given {key} and {password}: {said.text}")

    return Scripted(act)


def held(assignment: Assignment, equipment: Equipment) -> Agent:
    """Takes three steps, then waits for the test at the option `port`."""
    moves = itertools.count()

    def act(view: View) -> Action:
        if next(moves) < 3:
            return Scroll(direction="down")
        with socket.create_connection(("127.0.0.1", int(str(equipment.options["port"])))) as test:
            test.recv(1)
        return Finish()

    return Scripted(act)


def careful(assignment: Assignment, equipment: Equipment) -> Agent:
    """Opens the order, or a member's page, and decides; with the option `hasty`, it decides at once."""
    shop = "ESCALATE" in assignment.decisions
    page = "/admin/sales/order/view/order_id/635/" if shop else "/user/x"
    pages = [] if "hasty" in equipment.options else [page]

    def act(view: View) -> Action:
        if pages:
            return Goto(url="/".join(view.url.split("/")[:3]) + pages.pop())
        word = "ESCALATE" if shop else "REMOVE_ALL_POSTS_AND_BAN_USER"
        return Decide(decision=word, justification="On March 2 a comment on the order page says so.")

    return Scripted(act)
