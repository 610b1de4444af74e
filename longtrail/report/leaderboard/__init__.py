"""The leaderboard: all runs by suite."""
