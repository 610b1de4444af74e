"""Tests of Longtrail itself."""
