"""The frozen clock: the same time in every world, so that relative dates and page bytes never change."""

from datetime import UTC, datetime

NOW = datetime(2026, 3, 17, 14, 30, tzinfo=UTC)
"""The time in the embedded web: Tuesday, 17 March 2026, 14:30 UTC."""
