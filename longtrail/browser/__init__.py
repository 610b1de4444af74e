"""The browser environment: open, observe, act, close. Nothing here knows tasks or agents."""
