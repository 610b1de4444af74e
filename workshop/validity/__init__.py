"""Rules for fair tasks that need the sites' written rules as code, or that concern only the shipped data."""
