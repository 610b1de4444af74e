"""Shifts: episodes of many tickets, composed from families of tickets. docs/shift.md explains the design."""
