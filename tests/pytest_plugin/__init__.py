"""Tests of longtrail.pytest_plugin: real runs in processes of their own."""
