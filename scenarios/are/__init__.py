"""Scenario files of ARE, PARE and Gaia2 (one format), and what things are called in them.

Tables of names in both directions (``apps``, ``records``, ``calls``), small functions that turn
values over, and the way from a file to the data of a Heron scenario (``convert``). It does not know
episodes and verdicts: whether the result does what the file says is asked in ``heron.eval``.
"""
