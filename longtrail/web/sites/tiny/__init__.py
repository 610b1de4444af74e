"""Tiny: the smallest complete site. For tests, and for people who write their own agent or site."""
