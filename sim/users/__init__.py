"""Scripted users: what they want, what they have seen, how they judge an offer."""
