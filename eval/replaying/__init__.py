"""Recorded observation streams, and observers that watch them open loop.

``stream`` is the record and its file; ``trace`` and ``turning`` make one of an ARE run, ``sources``
of an episode; ``seat`` shows it to an observer, ``results`` counts. What it does not know: the
terminal.
"""
