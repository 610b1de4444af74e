"""Policies: the two worlds' written rules as code, to check that each task's facts determine its decision."""
