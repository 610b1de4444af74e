"""Importing: converts published task and run files to trajectories, and computes the measures that their data allow."""
