"""A BrowserGym task on a served site: BrowserGym plays and observes, the site's request log says whether it was done.

longtrail serve shopadmin --port 7780 &
python examples/served/browsergym_task.py       # in an environment with browsergym-core
"""

import json
import os
import re
from typing import Any
from urllib.request import Request, urlopen

import playwright.sync_api
from browsergym.core.env import BrowserEnv
from browsergym.core.task import AbstractBrowserTask
from browsergym.utils.obs import flatten_axtree_to_str

SHOP = os.environ.get("SHOP", "http://127.0.0.1:7780")
CONTROL = f"{SHOP}/__longtrail__"
GOAL = "Open order 000000635 from the list of orders and tell its status."


def ask(method: str, path: str) -> Any:
    """What the server answers below its control address."""
    asked = Request(f"{CONTROL}/{path}", method=method)  # noqa: S310 (an address on loopback)
    with urlopen(asked) as answer:  # noqa: S310
        return json.load(answer)


class OrderStatus(AbstractBrowserTask):
    """Each episode has its own copy of the shop."""

    @classmethod
    def get_task_id(cls) -> str:
        return "served.order_status"

    def setup(self, page: playwright.sync_api.Page) -> tuple[str, dict[str, Any]]:
        begun = ask("POST", "reset")
        self.episode = begun["episode"]
        page.goto(begun["enter"]["shopadmin.test"] + "?next=/admin/sales/order/")
        return GOAL, {}

    def validate(
        self,
        page: playwright.sync_api.Page,  # noqa: ARG002
        chat_messages: list[Any],
    ) -> tuple[float, bool, str, dict[str, Any]]:
        said = [one["message"] for one in chat_messages if one["role"] == "assistant"]
        requests = ask("GET", f"requests?episode={self.episode}")
        opened = any("/admin/sales/order/view/order_id/635" in one["url"] for one in requests)
        right = any("complete" in one.lower() for one in said[1:])  # the first one is BrowserGym's greeting
        return float(opened and right), len(said) > 1, "", {"requests": len(requests)}


def act(tree: str) -> str:
    """The next call; put your agent here. It filters the list, opens the order and reads its status."""
    if status := re.search(r"'Order Status'.*?cell '(\w+)'", tree, re.DOTALL):
        return f'send_msg_to_user("The order is {status[1]}.")'
    if link := re.search(r"\[(\w+)\] link 'View 000000635'", tree):
        return f'click("{link[1]}")'
    field = re.search(r"\[(\w+)\] (?:searchbox|textbox)", tree)
    assert field is not None, tree[:2000]
    return f'fill("{field[1]}", "000000635")\npress("{field[1]}", "Enter")'


def main() -> float:
    env = BrowserEnv(task_entrypoint=OrderStatus)
    obs, _ = env.reset(seed=0)
    reward, done, steps = 0.0, False, 0
    while not done and steps < 6:
        call = act(flatten_axtree_to_str(obs["axtree_object"]))
        obs, reward, done, _, _ = env.step(call)
        print(call, obs["url"], obs["last_action_error"] or "done", sep=" | ")
        steps += 1
    env.close()
    print(f"reward {reward}")
    return reward


if __name__ == "__main__":
    raise SystemExit(0 if main() == 1 else 1)
