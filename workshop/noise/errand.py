"""Errand: a small everyday task on one embedded site, written by hand and played in a browser to
record noise.

Each site has one YAML file, `errands/<host>.yaml`, with a list of errands:

    - id: rug_for_the_hallway             # a slug, unique over all files
      topics: [rugs, home textiles]       # what it is about; never noise for a task that has one of them
      instruction: Find out which rug ... # as a person would ask an agent; each worded differently
      aim: [find a flatwoven rug, ...]    # its stages, infinitives without "to"; `turn: true` begins the next one
      moves:                              # 3 to 16, as in a reference solution; the last one is `finish`
        - goto: https://www.ikea.com/us/en/
          why: ...                        # what makes an agent do this; about this errand and no other
          then: ...                       # what it concludes from the page that follows; may be left out
        - click: {role: link, name: "Home textiles"}
          why: ...

The texts must be true: every figure of two digits or more, every amount, every "quoted" text and every name in capitals
in `why`, `then` and the answer must be on a page that was delivered before (recording checks it). Recording adds a few
useless steps (see `slips`). An errand does nothing that a task of the suite asks for,
and says none of its carry facts.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from longtrail.errors import DataError
from longtrail.records.record import Record
from longtrail.tasks.reference import ReferenceStep
from longtrail.yaml_file import read_yaml, validate

ERRANDS = Path(__file__).parent / "errands"


class NoiseTaskStep(ReferenceStep):
    """One step, with what the errand's author wrote about it."""

    why: str = Field(min_length=8)
    then: str = ""
    """What the agent concludes from the page that the step led to."""
    turn: bool = False
    """The errand's next aim begins here."""

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.read is not None or self.decide is not None:
            raise ValueError("an errand can't `read` or `decide`: use `scroll` or `finish`")
        return self


class NoiseTask(Record):
    """What is asked on one site, and the moves that do it."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$")]
    host: str
    """Taken from the name of its file."""
    topics: tuple[str, ...] = Field(min_length=1)
    instruction: str
    aim: tuple[str, ...] = Field(min_length=1)
    moves: tuple[NoiseTaskStep, ...] = Field(min_length=3, max_length=16)

    @model_validator(mode="after")
    def _one_turn_for_each_further_aim(self) -> Self:
        if sum(move.turn for move in self.moves) != len(self.aim) - 1:
            raise ValueError(f"expected `turn: true` at {len(self.aim) - 1} moves, one for each aim after the first")
        return self

    def aim_at(self, number: int) -> str:
        """The number of the aim at a move (from 1)."""
        return self.aim[sum(move.turn for move in self.moves[:number])]

    @model_validator(mode="after")
    def _finishes(self) -> Self:
        if [move.finish is not None for move in self.moves] != [False] * (len(self.moves) - 1) + [True]:
            raise ValueError("expected the last move, and no other, to be `finish`")
        return self


def load_errands(hosts: Iterable[str] = (), folder: Path = ERRANDS) -> tuple[NoiseTask, ...]:
    """The errands on these hosts (none given: on all), by id. Raises DataError, also for an unknown
    host."""
    wanted = tuple(hosts)
    files = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    for host in wanted:
        if host not in files:
            raise DataError(folder, host, f"has no errands; there are some for {', '.join(files) or 'no host'}")
    errands: dict[str, NoiseTask] = {}
    for host in wanted or files:
        for entry in read_yaml(files[host]):
            errand = validate(NoiseTask, {**entry, "host": host}, files[host], str(entry.get("id", "")))
            if errand.id in errands:
                raise DataError(files[host], errand.id, "another errand has this id")
            errands[errand.id] = errand
    return tuple(sorted(errands.values(), key=lambda errand: errand.id))
