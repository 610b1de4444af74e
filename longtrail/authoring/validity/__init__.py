"""Validity: what makes a set of tasks fair, as rules on the tasks and their world.

A rule returns findings; an empty result means no fault. `longtrail validate` and the tests run the same rules.
`workshop/validity` has those that need the sites' written rules as code, or that concern only the shipped data.
"""
