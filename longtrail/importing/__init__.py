"""Importing: task and run files that others published, as trajectories and with the measures that they suffice for."""
