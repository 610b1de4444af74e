"""Tests of Trailmark itself."""
