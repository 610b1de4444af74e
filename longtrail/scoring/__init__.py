"""Scoring: judges one valid trajectory by its suite's rules."""
