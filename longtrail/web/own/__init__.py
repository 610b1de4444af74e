"""Own: a user's own apps, at their own addresses, behind the same front as the embedded sites."""
