"""The pytest plugin: hooks, the controller of a session, scheduling. `plugin` only connects them."""
