"""Statistics over many results: rates with intervals, paired differences, permutation tests. Pure functions."""
