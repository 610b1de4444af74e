"""Plays everyday tasks on the embedded web and writes them as an agent's trajectories: the noise pool."""
