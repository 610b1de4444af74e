"""Validity: what makes a set of tasks fair, as rules over the tasks and over the world that they are set in.

A rule gives findings, and none where all is well. `longtrail validate` and the tests run the same rules.
"""
