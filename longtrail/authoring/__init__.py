"""Authoring: tools for those who write tasks, worlds and noise. No run imports anything from here."""
