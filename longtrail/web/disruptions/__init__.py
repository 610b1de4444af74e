"""Disruptions: what a site of today puts in a visitor's way. Seeded, off by default (`--disruptions SEED`)."""
