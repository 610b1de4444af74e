"""Models: one client protocol, litellm behind it, and a scripted model server for those without a key."""
