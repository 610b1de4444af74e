"""Rules on the shipped suites as sets: the surface tells nothing, and no task copies another."""
