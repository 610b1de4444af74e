"""Noise: irrelevant trajectories, which of them suit a task, and how many make a history of N tokens."""
