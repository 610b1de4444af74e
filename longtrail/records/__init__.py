"""Records: the frozen data types that all other packages use: actions, trajectories, results."""
