"""Noise: the pool of irrelevant trajectories, the selection for a task, and the histories of N tokens."""
