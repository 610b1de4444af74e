"""Tasks: their classes, the loader that reads them from YAML, and the plan of their cases."""
