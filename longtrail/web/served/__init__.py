"""Served: embedded sites over plain HTTP on loopback, each on a separate port, for other browsers and frameworks."""
