"""Made: builders of small tasks, cases, steps and trajectories for tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from longtrail.episode.context import EpisodeContext
from longtrail.episode.first_part import FirstPartCache
from longtrail.episode.runner import CaseAttempts
from longtrail.records.action import ACTION
from longtrail.records.observation import Observation
from longtrail.records.trajectory import (
    Case,
    Contender,
    End,
    Outcome,
    Provenance,
    Request,
    Step,
    Target,
    Trajectory,
    Usage,
)
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.yaml_file import read_yaml

SHOP = "https://shopadmin.test/admin"
ORDER = f"{SHOP}/sales/order/view/order_id/600/"
GRID = f"{SHOP}/sales/order/"
CUSTOMER = f"{SHOP}/customer/index/edit/id/87/"
CUSTOMER_ORDERS = f"{SHOP}/customer/index/orders/id/87/"
IKEA = "https://www.ikea.com"


def served(url: str, **changes: Any) -> Request:
    """A request for a main-frame document, answered by the site."""
    return Request(**{"method": "GET", "url": url, "status": 200, "dest": "document", "mode": "navigate"} | changes)


def tab(url: str, **changes: Any) -> Request:
    """A request by a script for a part of a page."""
    return Request(**{"method": "GET", "url": url, "status": 200, "dest": "empty", "mode": "cors"} | changes)


def step(
    number: int,
    action: dict[str, Any] | None = None,
    *,
    phase: str = "main",
    url: str = GRID,
    text: str = "Orders",
    to: str = "",
    requests: tuple[Request, ...] | None = None,
    target: tuple[str, str] | None = None,
    **more: Any,
) -> Step:
    """One step. `to`: the page that it opened, and that was served."""
    outcome = {
        "ok": True,
        "url": to or url,
        "navigations": (to,) if to else (),
        "target": Target(role=target[0], name=target[1]) if target else None,
    } | more.pop("outcome", {})
    observation = Observation(url=url, text=text, **more.pop("observation", {}))
    if requests is None:
        requests = (served(to),) if to else ()
    return Step(
        number=number,
        phase=phase,  # type: ignore[arg-type]
        observation=observation,
        action=None if action is None else ACTION.validate_python(action),
        outcome=Outcome(**outcome),
        requests=requests,
        usage=Usage(calls=1, prompt_tokens=100, completion_tokens=10, usd=0.001),
        **more,
    )


def case(suite: str = "shopping_admin", task: str = "PW-025", **more: Any) -> Case:
    """A case, of a decision task unless changed."""
    return Case(**{"id": f"{task.lower()}-r0", "suite": suite, "task": task} | more)


def trajectory(steps: tuple[Step, ...], of: Case | None = None, **more: Any) -> Trajectory:
    """A finished attempt."""
    return Trajectory(
        **{
            "case": of or case(prompt="raw"),
            "contender": Contender(agent="scripted"),
            "provenance": Provenance(longtrail="0", data="d", task="t"),
            "prompt": "Look into it.",
            "steps": steps,
            "ends": (),
            "seconds": 1.5,
        }
        | more
    )


# the long-context suite


TASKS = read_yaml(Path(__file__).with_name("made.yaml"))


def long_task(**changes: Any) -> LongContextTask:
    """Browse offers, then put one among the favourites."""
    return LongContextTask(**{**TASKS["long"], **changes})


OFFERS = f"{IKEA}/us/en/cat/home-essentials-700/"
CHEAP = f"{OFFERS}?max-price=10"
FAVOURITES = f"{IKEA}/us/en/favourites/"
ELSEWHERE = "https://www.mbta.com/fares"


def first_part(*, done: bool = True) -> tuple[Step, ...]:
    """The steps of part `a1`."""
    steps = [step(1, {"type": "goto", "url": OFFERS}, phase="a1", url="https://www.google.com/", to=OFFERS)]
    if done:
        steps.append(
            step(2, {"type": "click", "id": "4"}, phase="a1", url=OFFERS, to=CHEAP, target=("link", "Under $10"))
        )
    return tuple(steps)


def second_part(*, done: bool = True) -> tuple[Step, ...]:
    """The steps of part `a2`, which begins on another site."""
    steps = [step(1, {"type": "goto", "url": CHEAP}, phase="a2", url=ELSEWHERE, to=CHEAP)]
    if done:
        name = "Add LACK side table to favourites"
        value = {"ok": True, "value": "Moving  In"}
        steps += [
            step(2, {"type": "click", "id": "9"}, phase="a2", url=CHEAP, target=("button", name)),
            step(3, {"type": "goto", "url": FAVOURITES}, phase="a2", url=CHEAP, to=FAVOURITES),
            step(
                4,
                {"type": "fill", "id": "2", "text": "Moving  In"},
                phase="a2",
                url=FAVOURITES,
                target=("textbox", "List name"),
                outcome=value | {"target": Target(role="textbox", name="List name")},
            ),
        ]
    return tuple(steps)


def long_case(**more: Any) -> Case:
    """A case of the long-context task."""
    return case("long_context", "ikea_favorites", **{"noise_tokens": 25_000} | more)


def ends(first: str = "all_key_steps", second: str = "all_key_steps") -> tuple[End, ...]:
    """How both parts ended."""
    return End(reason=first, phase="a1"), End(reason=second, phase="a2")  # type: ignore[arg-type]


# a decision suite


def decision_task(**changes: Any) -> DecisionTask:
    """A refund after many returns, all of them size exchanges: two facts on two pages, and one on any page."""
    return DecisionTask(**{**TASKS["decision"], **changes})


JUSTIFICATION = "All 15 returns were size exchanges, and the net value is $5,879.84."


EVIDENCE = (
    {"source": "order 600", "quote": "15 returns, all size exchanges"},
    {"source": CUSTOMER, "quote": "net: $5,879.84"},
)
"""What proves the decision task."""


def decide(number: int, decision: str = "APPROVE", justification: str = JUSTIFICATION, **more: Any) -> Step:
    """The step with the decision, by default with all evidence."""
    action = {"type": "decide", "decision": decision, "justification": justification, "evidence": EVIDENCE}
    action |= {key: more.pop(key) for key in ("evidence", "response") if key in more}
    return step(number, action, **{"url": CUSTOMER, "text": "Lifetime sales, net: $5,879.84"} | more)


def investigation() -> tuple[Step, ...]:
    """Grid -> order -> its history -> customer; both facts are shown by step 4."""
    history = f"{SHOP}/sales/order/commentsHistory/order_id/600/"
    return (
        step(1, {"type": "click", "id": "3"}, to=ORDER, target=("link", "View")),
        step(
            2,
            {"type": "click", "id": "5"},
            url=ORDER,
            text="Order 600",
            requests=(tab(history),),
            target=("tab", "Comments History"),
        ),
        step(
            3,
            {"type": "click", "id": "6"},
            url=ORDER,
            text="Mar 2, 2026\n15 returns, all size exchanges M/L to L/XL",
            to=CUSTOMER,
            target=("link", "Diana Foster"),
        ),
    )


def solved(**more: Any) -> Trajectory:
    """The case as a careful agent solves it."""
    return trajectory((*investigation(), decide(4)), **more)


def play_case(
    case: Case,
    task: Task,
    context: EpisodeContext,
    save: Callable[[Trajectory], object] = lambda _: None,
    cache: FirstPartCache | None = None,
) -> Trajectory:
    """A whole case, with further attempts after trouble; each is passed to `save`. `cache`: shared first parts."""
    return CaseAttempts(case, task, context, save).play_all(cache=cache)
