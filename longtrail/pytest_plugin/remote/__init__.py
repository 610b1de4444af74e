"""Remote: workers of an engine play the cases, on any machine; `engine.py` defines what an engine must do."""
