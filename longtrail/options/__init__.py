"""Options: the checked command line of pytest, and the plan of cases that follows from it."""
