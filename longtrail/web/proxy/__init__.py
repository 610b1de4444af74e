"""The proxy: the browser's whole internet.

`server` listens, `connection` reads requests, `tunnel` ends TLS, `exchange` answers.
"""
