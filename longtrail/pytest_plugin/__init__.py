"""The pytest plugin: hooks, the controller of a session, scheduling. `plugin` only connects them."""

import os

PARENT = os.getppid()
"""In a worker: its controller, as it was when the worker began. It may have ended when the worker has collected."""
