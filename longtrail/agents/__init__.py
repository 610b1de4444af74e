"""Agents: each gets an assignment and chooses actions. One module per agent; the module's name is the agent's name."""
