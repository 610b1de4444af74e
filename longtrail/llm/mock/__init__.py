"""The scripted model and its OpenAI-compatible server on loopback, for trying a set-up without a key."""
