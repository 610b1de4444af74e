"""Checks: evidence from a trajectory -> a verdict with a reason. The class of each check is also its YAML schema."""
