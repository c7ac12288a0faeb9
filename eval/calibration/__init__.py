"""Fits what turns a model's scores into probabilities, and says what that is worth.

Recorded streams → scores of a model → a calibration → its assessment on other families. What it
does not know: the LLM library, and how an observer uses a calibration (see ``heron.observer``).
"""
