"""Variants: the same suites with other people, numbers, prices and places, against memorized solutions."""
