"""Report: results and trajectories as pages, tables and lines that people read. Pure functions of the records."""
