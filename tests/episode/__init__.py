"""Tests of the episode."""
