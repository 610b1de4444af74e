"""Tiny: the smallest site that has everything. For tests, and for people who write an agent or a site of their own."""
