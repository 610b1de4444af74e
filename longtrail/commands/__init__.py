"""The `longtrail` command: everything that is not a test run. Each module beside `main` is one subcommand."""
