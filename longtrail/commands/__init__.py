"""The `longtrail` command: everything that is not a test run. Its modules have functions with `@command`."""
