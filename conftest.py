"""The repository is the root folder of its tests. The plugin itself is loaded by its entry point."""
