"""The consumer web: replicas of well-known sites, one engine fed by one YAML a site."""
