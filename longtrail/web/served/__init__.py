"""Served: embedded sites on plain loopback HTTP, a port each, for browsers and frameworks that know nothing of us."""
