"""Scoring: the judgement of each suite over one valid trajectory."""
