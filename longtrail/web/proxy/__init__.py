"""The proxy: the browser's only connection. `server` listens, `connection` reads requests, `tunnel` ends TLS,
`exchange` answers. They share a `state`."""
