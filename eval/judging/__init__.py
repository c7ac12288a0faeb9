"""Recorded decision points: moments at which a proposal was answered, put before other users."""
