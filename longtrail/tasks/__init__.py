"""Tasks: what a task is made of, the one loader that reads it from YAML, and the plan of its cases."""
