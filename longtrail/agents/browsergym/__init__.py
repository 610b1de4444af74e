"""browsergym: agents that were made for BrowserGym (`--agent browsergym:package.module:function`).

`adapter` gives them BrowserGym's observations, `calls` reads their actions. Nothing of this is imported for other
agents.
"""
