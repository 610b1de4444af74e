"""A case as an environment: reset, one action after another, a score. What all bridges to other tools share."""
