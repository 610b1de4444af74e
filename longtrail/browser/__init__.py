"""The browser environment: open, observe, act, close. It knows nothing about tasks or agents."""
