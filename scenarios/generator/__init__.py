"""Writes new scenarios with a chat model, stage by stage, into a queue that a person reviews.

It is handed a ``ChatModel`` and a function that proves; it knows neither a model library nor how
an episode is played.
"""
