"""Longtrail's tasks for verifiers: `vf-eval longtrail-verifiers`."""

from longtrail_verifiers.env import LongtrailEnv
from longtrail_verifiers.taskset import LongtrailTaskset

__all__ = ["LongtrailEnv", "LongtrailTaskset"]
