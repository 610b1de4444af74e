"""Tests of longtrail.episode."""
