"""Options: pytest's command line, checked, and the plan of cases that follows from it."""
