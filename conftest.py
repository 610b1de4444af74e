"""Only names the fixtures. The plugin itself is loaded by its entry point."""

pytest_plugins = [
    "fixtures.web",
    "fixtures.browser",
    "fixtures.model",
    "fixtures.agent",
    "fixtures.noise",
    "fixtures.prompts",
    "fixtures.episode",
]
