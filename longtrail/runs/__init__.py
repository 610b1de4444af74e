"""Runs: a run's folder, and what is computed from a finished run, such as scores and baselines."""
