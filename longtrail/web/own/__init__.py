"""Own: a user's own apps behind the same front as the embedded sites, at their own addresses."""
