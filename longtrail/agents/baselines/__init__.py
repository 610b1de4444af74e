"""Baselines: agents that don't investigate. Their scores show what a task gives away."""
