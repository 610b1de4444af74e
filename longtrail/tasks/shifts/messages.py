"""Messages: the numbers of a shift's messages, and the mails that have to do with nothing."""

import random
from collections.abc import Sequence
from typing import Any

from longtrail.tasks.shifts.cast_family import CastFamily
from longtrail.tasks.shifts.shift import Mail, ShiftTask

MAILS_PER_TICKET = 0.25
"""Mails that have to do with nothing, for each ticket."""
FILLER = -1
"""Stands for a family's number in mails that have to do with nothing."""


class Messages:
    """All messages of one shift."""

    def __init__(self, task: ShiftTask, families: Sequence[CastFamily], material: Any) -> None:
        self._task, self._families, self._material = task, families, material
        self._filler = self._draw()
        self.numbers = self._numbered()
        """Number of a family and name of its part -> the message's number in addresses."""

    def _draw(self) -> dict[str, int]:
        """Mails that have to do with nothing: index in the material -> place."""
        rng, mails = random.Random(f"{self._task.seed}:mails"), self._material["mails"]  # noqa: S311
        number = min(len(mails), round(MAILS_PER_TICKET * self._task.size))
        return {str(each): rng.randrange(1, self._task.size) for each in rng.sample(range(len(mails)), number)}

    def _numbered(self) -> dict[tuple[int, str], int]:
        """The number of every message in addresses, in the order in which they come in; archived ones come first."""
        parts = [
            (family.at(name), bool(part.about), family.number, name)
            for family in self._families
            for name, part in family.family.parts.items()
        ]
        filler = [(place, False, FILLER, each) for each, place in self._filler.items()]
        start = len(self._material["archive"]) + 1
        return {(number, name): at for at, (_, _, number, name) in enumerate(sorted(parts + filler), start)}

    def filler_mails(self) -> list[Mail]:
        """The mails that have to do with nothing."""
        return [
            _plain_mail(self.numbers[FILLER, each], place, self._material["mails"][int(each)])
            for each, place in self._filler.items()
        ]

    def archive(self) -> list[Mail]:
        """The mails that are in the archive from the start."""
        return [_plain_mail(at, 0, written) for at, written in enumerate(self._material["archive"], 1)]


def _plain_mail(message: int, place: int, written: list[str]) -> Mail:
    sender, subject, text = written
    return Mail(id=f"M{message:02d}", message=message, place=place, sender=sender, subject=subject, text=text)
