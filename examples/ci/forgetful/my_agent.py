"""The same agent after a change for the worse: to save tokens it keeps only the last task in memory."""

import re
from collections.abc import Iterator

from longtrail.api import Action, Assignment, Click, Equipment, Finish, Goto, Outcome, View

EXPLORE = "https://www.ultimate-guitar.com/explore?type[]=Chords&decade[]=1970s"
SONG = "https://www.ultimate-guitar.com/tab/queen/crazy-little-thing-called-love-chords-1275988"
STEAM = "https://store.steampowered.com"
MBTA = "https://www.mbta.com"
KNOWN = {
    "1970s": (["https://www.ultimate-guitar.com/explore", EXPLORE], [f"{EXPLORE}&difficulty[]=2", SONG]),
    "route 1 bus": (
        [f"{MBTA}/fares/bus-fares", f"{MBTA}/schedules/1/line"],
        [f"{MBTA}/fares/reduced", f"{MBTA}/fares/reduced/senior-charliecard"],
    ),
    "Dota 2": (
        [f"{STEAM}/search?term=Dota 2", f"{STEAM}/app/570"],
        [f"{STEAM}/app/570", "click Add all DLC to Cart", f"{STEAM}/checkout"],
    ),
}
"""The subject of a task -> the actions of its first part and of its second part."""


class MyAgent:
    """Plays the fixed actions; a follow-up is about the last known subject in its memory."""

    def __init__(self, steps: list[str]) -> None:
        self.steps: Iterator[str] = iter(steps)

    def act(self, view: View) -> Action:
        step = next(self.steps, "")
        if step.startswith("click "):
            found = re.search(rf'\[(\d+)\] button "{re.escape(step[6:])}"', view.text)
            return Click(id=found[1]) if found else Finish()
        return Goto(url=step) if step else Finish()

    def observe(self, outcome: Outcome, view: View) -> None:
        """Ignores outcomes."""


def make(assignment: Assignment, equipment: Equipment) -> MyAgent:  # noqa: ARG001
    """Longtrail's entry: `--agent my_agent:make`."""
    second = assignment.phase == "a2"
    told = [episode.instruction for episode in assignment.history[-1:]] if second else [assignment.prompt]
    for text in reversed(told):
        for name, parts in KNOWN.items():
            if name in text:
                return MyAgent(parts[second])
    return MyAgent([])
