"""The `longtrail` command."""
