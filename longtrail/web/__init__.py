"""The sealed web: a proxy that is the browser's only connection, and worlds, which are private copies of all sites'
state.

Read `sealed` first (how it is used), then `world` (state), then `proxy`.
"""
