"""Scenarios as data: schema, loader, builder, and the YAML files under ``data/``.

What it does not know: observers, executors, models, and how an episode is played.
"""
