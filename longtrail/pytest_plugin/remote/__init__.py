"""Remote: cases are played by workers that an engine has elsewhere; `engine.py` is what an engine must do."""
