"""The way back: Heron's phones and calls as ARE's files have them.

The same tables as the import's (``records``, ``calls``, ``apps``), read from the other side. What
has no counterpart is left out and told.
"""
