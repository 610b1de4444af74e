"""What is measured, one question a file."""
