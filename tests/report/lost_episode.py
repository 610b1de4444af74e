"""An episode as a record: the first part works, after 150,000 tokens of history the agent does not come back."""

from longtrail.records.action import Click, Fill, Goto, Search
from longtrail.records.result import KeyStepResult, Metric, Result
from longtrail.records.trajectory import Case, End, History, Trajectory
from tests.report.steps import GPT, PROVENANCE, step


def lost_episode() -> tuple[Trajectory, Result]:
    """Dota 2 and its DLC: the first part works, after 150k tokens the agent follows the last injected trajectory."""
    case = Case(id="steam_dota_dlc-150k-r0", suite="long_context", task="steam_dota_dlc", noise_tokens=150_000)
    store, game = "https://store.steampowered.com/", "https://store.steampowered.com/app/570/Dota_2/"
    parks = "https://www.nps.gov/yell/planyourvisit/conditions.htm"
    steps = (
        step(
            1,
            "a1",
            "https://www.google.com/",
            "Google",
            "I have to find the game's page in the Steam store.",
            Goto(url=store),
            after=store,
            screenshot="dota-a1-1.jpg",
            reflection="The store's front page is open.",
        ),
        step(
            2,
            "a1",
            store,
            "Welcome to Steam",
            "The search box is at the top; I look for the game by its name.",
            Fill(id="3", text="Dota 2", enter=True),
            role="searchbox",
            name="Search the store",
            after=f"{store}search/?term=Dota+2",
            screenshot="dota-a1-2.jpg",
            reflection="Results for Dota 2 are listed.",
        ),
        step(
            3,
            "a1",
            f"{store}search/?term=Dota+2",
            "Steam Search",
            "The first result is the game itself.",
            Click(id="14"),
            role="link",
            name="Dota 2",
            after=game,
            screenshot="dota-a1-3.jpg",
        ),
        step(
            1,
            "a2",
            parks,
            "Current Conditions - Yellowstone",
            "I was looking at road conditions in the park. The task "
            "says to add everything to the cart, so there must be a shop for passes here.",
            Search(query="add all downloadable content to cart"),
            after="https://www.google.com/search?q=add+all",
            screenshot="dota-a2-1.jpg",
            reflection="The results do not name the game.",
        ),
        step(
            2,
            "a2",
            "https://www.google.com/search?q=add+all",
            "add all - Search",
            "I cannot tell which game is meant.",
            None,
            raw='{"type": "open", "target": "the game from before"}',
            error="No valid action: `type` must be one of goto, click, fill, select, search, back, scroll, finish.",
        ),
        step(
            3,
            "a2",
            "https://www.google.com/search?q=add+all",
            "add all - Search",
            "Perhaps the file is kept locally.",
            Goto(url="file:///home/history.txt"),
            error="Only http and https addresses can be opened.",
            violations=("goto file: address",),
        ),
        step(
            4,
            "a2",
            "https://www.google.com/search?q=add+all",
            "add all - Search",
            "Back to the conditions page.",
            Goto(url=parks),
            after=parks,
            screenshot="dota-a2-4.jpg",
        ),
    )
    trajectory = Trajectory(
        case=case,
        contender=GPT,
        provenance=PROVENANCE,
        prompt="This continues a task from a while ago. Put all downloadable content of that game into the cart.",
        steps=steps,
        history=History(
            target_tokens=150_000,
            tokens=149_212,
            tokenizer="o200k_base",
            last_url=parks,
            sha256="ab" * 32,
            injected=("nps_yellowstone_roads", "yelp_brunch_portland", "megabus_boston_newyork"),
        ),
        ends=(End(reason="all_key_steps", phase="a1"), End(reason="step_limit", phase="a2", detail="10 of 10 steps")),
        seconds=74.2,
    )
    result = Result(
        case=case,
        contender=GPT,
        provenance=PROVENANCE,
        outcome="failed",
        reason="3 of 5 key steps; after the history the agent never came back to store.steampowered.com",
        category="inefficient_progress",
        stage="a1",
        metrics={
            "success": Metric(value=False, reason="key steps dlc-page and cart were not reached"),
            "success_a2": Metric(value=False, reason="0 of 2 key steps of the second part"),
            "key_step_rate": Metric(value=0.6, reason="3 of 5"),
            "retrieval": Metric(value=False, reason="no document of steampowered.com after the history"),
            "paper_se": Metric(value=0.219, reason="sqrt(p (1 - p) / n)"),
        },
        key_steps=(
            KeyStepResult(
                name="store-opened", phase="a1", hit=True, step=1, reason="store.steampowered.com/ was served"
            ),
            KeyStepResult(name="game-searched", phase="a1", hit=True, step=2, reason="search/?term=Dota 2 was served"),
            KeyStepResult(name="game-page", phase="a1", hit=True, step=3, reason="app/570 was served"),
            KeyStepResult(name="dlc-page", phase="a2", hit=False, reason="dlc/570 was never served"),
            KeyStepResult(name="cart", phase="a2", hit=False, reason="no cart page was served"),
        ),
        steps=len(steps),
        usage=trajectory.usage,
        seconds=trajectory.seconds,
    )
    return trajectory, result
