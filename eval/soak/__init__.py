"""Soak: one observer process under a day of events and more, and what becomes of it."""
