"""Agents: they get an assignment and choose actions. One module per agent; the module name is the agent's name."""
