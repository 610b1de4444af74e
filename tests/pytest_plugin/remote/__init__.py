"""Tests of longtrail.pytest_plugin.remote."""
