"""Reads the files that PATHWAYS and WebCanvas published: measures of runs, tasks that can be played, noise."""
