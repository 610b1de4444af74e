"""Tests of the pytest face: real runs in processes of their own."""
