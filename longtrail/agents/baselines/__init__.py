"""Baselines: agents that look for nothing. What they score, a task gives away for free."""
