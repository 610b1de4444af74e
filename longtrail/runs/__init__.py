"""Runs: a run's folder, and what is made of a finished one: scores, baselines."""
