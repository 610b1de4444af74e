"""Served: embedded sites over plain HTTP on loopback, each on its own port, for other browsers and frameworks."""
