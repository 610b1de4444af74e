"""The canary: a string in every data file. People who train a model can use it to exclude these files; people who
evaluate a model can use it to test whether the model has seen them."""

CANARY = "longtrail:c5b75d7a-18e1-4dbc-a162-d55ea40fa164"
"""The same for all files and versions."""
NOTICE = f"Benchmark data, not for training. Canary {CANARY}"
"""The line at the top of each file: a comment in YAML and templates, a key in JSON."""
