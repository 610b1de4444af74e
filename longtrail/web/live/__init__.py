"""Live: the real web behind the same front. Names are resolved and checked here, and what would commit is not sent."""
