"""Longtrail's tasks as a CUBE benchmark: `cube test longtrail`."""
