"""The pages of one run and of its cases."""
