"""Observers without a model, which every figure of a model is to be read beside.

What it does not know: models.
"""
