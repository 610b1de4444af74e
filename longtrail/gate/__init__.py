"""The gate: a run and its baseline -> a verdict that CI can trust."""
