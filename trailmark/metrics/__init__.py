"""Metrics: small named functions over one case (Task, Trajectory), and rates with intervals over many Results."""
