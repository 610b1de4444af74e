"""Agents: each gets an assignment and chooses actions. `spec` has the table of the built-in ones."""
