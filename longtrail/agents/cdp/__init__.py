"""cdp: agents that drive a browser of their own (`--agent cdp:...`), and the proof of what was served to them.

`process` starts the agent's program, `agent_browser` its browser, `command_filter` stands between the two. `observer`
records from outside what happens, and `served_evidence` compares it with what the sites served. Nothing of this is
imported for other agents.
"""
