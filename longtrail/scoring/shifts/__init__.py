"""Shifts: the scores of episodes of many tickets."""
