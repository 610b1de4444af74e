"""An open page of the user's own Playwright test, as a session of ours."""
