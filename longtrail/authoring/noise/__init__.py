"""Recording noise: everyday tasks are played in a browser on the embedded web and written as an
agent's trajectories."""
