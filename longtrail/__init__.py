"""Longtrail: a pytest-native evaluation suite for web agents."""

import os.path

__version__ = "0.1.0"
_here = os.path.dirname(__file__)
if not os.path.isdir(os.path.join(_here, "benchmark_tests")):  # a clone: the cases stand beside the package
    __path__.append(os.path.dirname(_here))
