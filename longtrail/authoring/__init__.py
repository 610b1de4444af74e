"""Authoring: tools for people who write tasks, worlds and noise. No run imports this package."""
