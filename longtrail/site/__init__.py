"""Site: the reports folder as linked pages. Leaderboard, runs, cases, comparisons; each opens from its file."""
