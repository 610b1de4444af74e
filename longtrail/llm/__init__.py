"""Models: a client protocol, its implementation with litellm, and a scripted model server for use without a key."""
