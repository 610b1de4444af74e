"""Commands: what the `longtrail` program does. One module a subcommand."""
