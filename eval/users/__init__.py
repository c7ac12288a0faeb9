"""Simulated users as episodes get them; those that are models get a process of their own."""
