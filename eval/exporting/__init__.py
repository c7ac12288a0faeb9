"""Stored runs as files of other tools: logs of Inspect, spans of OpenTelemetry, runs of MLflow.

What goes into ARE's format has a folder of its own (``heron.eval.are_export``).
"""
