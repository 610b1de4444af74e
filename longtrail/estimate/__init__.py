"""The estimate: what a planned run would ask of a model, found with real prompts and without a call."""
