"""Crowds: make the checked-in people, orders and posts that no task is about from written material."""
