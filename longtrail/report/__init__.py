"""Report: results and trajectories as pages, tables and lines for people. Pure functions of the records."""
