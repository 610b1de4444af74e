"""Workshop: the scripts that made the shipped data. They are not part of the package that users install."""
