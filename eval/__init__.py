"""The only room that sees all others: episode, batch, metrics, store, report.

What it does not know: how a command line or a table looks (see ``heron.cli``).
"""
