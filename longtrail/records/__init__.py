"""Records: the frozen data that everything else speaks: actions, trajectories, results."""
