"""Text: lines as typed tokens, so that amounts, dates, counts and names compare as values."""
