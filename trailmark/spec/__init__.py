"""Spec: what a task is made of, and the one loader that reads it from YAML."""
