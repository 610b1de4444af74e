"""Runs in the forms of other tools: tables (CSV, Parquet) and traces (OpenTelemetry)."""
