"""Acting: carries out actions in the pages of a session."""
