"""Tests of longtrail.environment."""
