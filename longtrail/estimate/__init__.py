"""The estimate: the tokens, cost and time of a planned run, computed with real prompts and without model calls."""
