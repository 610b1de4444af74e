"""The sealed web: a front that is the browser's whole internet, worlds that are private copies of all sites' state.

Read `sealed` first (how it is used), then `world` (state), then `front` and on through `gate`, `tunnel`, `answer`.
"""
