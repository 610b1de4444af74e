"""Crowds: written material -> the checked-in people, orders and posts that no task is about."""
