"""Tests of longtrail.exporting."""
