"""The consumer web: replicas of well-known sites; one engine with one YAML file per site."""
