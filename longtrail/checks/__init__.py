"""Checks: evidence from a trajectory -> a verdict with a reason. Each check is a class that is its own YAML schema."""
