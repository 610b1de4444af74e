"""The sealed web: a proxy that is the browser's whole internet, worlds that are private copies of all sites' state.

Read `sealed` first (how it is used), then `world` (state), then `proxy`.
"""
