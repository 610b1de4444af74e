"""Disruptions: banners, ads and delays, as on today's sites. Seeded, off by default (`--disruptions SEED`)."""
