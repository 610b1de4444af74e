"""Analysis: what kind of path or failure a trajectory is: loops, error categories, retrieval, divergence."""
