"""The benchmark's tests, one question per file."""
