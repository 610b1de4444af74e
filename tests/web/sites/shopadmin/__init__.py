"""The shop's back office."""
