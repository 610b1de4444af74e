"""Browser contexts: their options, and what is recorded of them."""
