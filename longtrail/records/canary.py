"""The canary: a string that stands in every data file, so that who trains a model can leave these files out, and who
evaluates one can ask whether it knows them."""

CANARY = "longtrail:c5b75d7a-18e1-4dbc-a162-d55ea40fa164"
"""The same for all files and versions."""
NOTICE = f"Benchmark data, not for training. Canary {CANARY}"
"""The line at the top of each file: a comment in YAML and templates, a key in JSON."""
