"""The engine's driver has an environment of its own."""

import os
import time
from pathlib import Path

import psutil

from longtrail.browser.engine import Engine
from longtrail.browser.launcher import Launch


def test_a_driver_starts_without_a_change_of_this_process_s_environment() -> None:
    engine, earlier = Engine(Launch()), set(psutil.Process().children())  # other tests' drivers may still run
    try:
        before = dict(os.environ)
        starting = engine.begin(engine.browser())
        while not starting.done():
            assert dict(os.environ) == before
            time.sleep(0)
        starting.result()
        started = [child for child in psutil.Process().children() if child not in earlier]
        (driver,) = [child for child in started if "node" in child.name()]
        environment = driver.environ()
        assert Path(environment["TMPDIR"]).name.startswith("longtrail-browser-")
        assert "--max-semi-space-size=2" in environment["NODE_OPTIONS"]
    finally:
        engine.close()
