"""Agents: whatever can be handed an assignment and asked for actions. One module an agent; its name is the registry."""
