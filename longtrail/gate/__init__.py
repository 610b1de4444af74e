"""The gate: compares a run with its baseline and gives a verdict for CI."""
