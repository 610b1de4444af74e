"""The embedded sites, one package each: `site.make(...)` returns its `Site`."""
