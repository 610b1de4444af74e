"""Measures: small named functions over one case. `catalog` lists them all."""
