"""A bench for tasks on a user's own app: the shop of `flask_shop`, a server that no task names, a web and a browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.context import EpisodeContext, EpisodeSettings, Recorder
from longtrail.episode.open_app import OpenApp
from longtrail.records.case import ActionChoice
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.scoring.score import score
from longtrail.tasks.app_task import AppTask
from longtrail.web.own_web import OwnWeb
from tests.episode.flask_shop import Shop, make, served
from tests.made import play_case
from tests.tables import tables_of

TABLES = tables_of(__file__)

TASK: dict[str, Any] = TABLES["task"]


class Bench:
    """The shop, a second server that no task names, a browser and a web."""

    def __init__(self, shop: Shop, other: list[str], other_address: str, web: OwnWeb, browser: Browser) -> None:
        self.shop, self.other, self.other_address, self.web, self.browser = shop, other, other_address, web, browser

    def play(
        self,
        agent: Any,
        task: dict[str, Any] = TASK,
        *,
        reset: Any = None,
        scorer: Any = None,
        folder: Path | None = None,
        actions: ActionChoice = "default",
    ) -> tuple[Trajectory, Result]:
        """One episode, by a built-in agent's name or a factory."""
        parsed = AppTask.model_validate(task)
        functions = {"reset": reset or self.shop.reset, "login": self.shop.login, "others_untouched": self.untouched}
        functions["mine"] = scorer
        named = isinstance(agent, str)
        context = EpisodeContext(
            self.web,
            self.browser,
            Contender(agent=agent if named else "tests:make", vision=named),
            factory=None if named else agent,
            app=lambda: OpenApp(parsed.app, self.shop.address, folder or Path(), functions=functions),
            settings=EpisodeSettings(shots=False, actions=actions),
            recorder=Recorder(files=folder / "runs" if folder else None),
        )
        case = Case(id="refund-r0", suite="app", task=parsed.id)
        trajectory = play_case(case, parsed, context)
        return trajectory, score(parsed, trajectory)

    def untouched(self) -> None:
        assert self.shop.status["13"] == "paid", "order 13 was refunded, too"


@contextmanager
def shop_bench() -> Iterator[Bench]:
    """The bench, while it is open."""
    from flask import Flask

    other, shop = Flask("other"), Shop()
    asked: list[str] = []
    other.before_request(lambda: asked.append("asked"))
    with served(other) as elsewhere, served(make(shop, elsewhere)) as address:
        shop.address = address
        with OwnWeb() as web, Browser(ViewSettings(screenshot=False)) as browser:
            yield Bench(shop, asked, elsewhere, web, browser)
