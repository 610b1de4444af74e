"""Browser contexts: what is recorded of them, and pages that a Playwright test of the user has open."""
