"""A pytest plugin for runs (`-p tests.pytest_plugin.lost_place`): when a case has ended, a file replaces the folder of
the run's copy (`LOST_PLACE`), so that nothing can be written there any more."""

import os
from contextlib import suppress
from pathlib import Path


def pytest_runtest_logfinish() -> None:
    place = Path(os.environ["LOST_PLACE"])
    while place.is_dir():  # it may be made again at this moment
        place.rename(place.with_name(f"lost-{os.urandom(4).hex()}"))
        with suppress(FileExistsError):
            place.open("x").close()
