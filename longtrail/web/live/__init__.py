"""Live: the real web behind the same proxy. Names are resolved and checked here, and requests with real-world effects
are not sent."""
