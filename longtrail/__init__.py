"""Longtrail: a pytest-native evaluation suite for web agents."""

__version__ = "0.1.0"
