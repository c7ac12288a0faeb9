"""Where episodes are played: in this process, in processes beside it, or on a Ray cluster.

All engines play the same ``Unit`` the same way, so a run has the same rows whichever plays it. What
this package does not know: which units there are, and where their rows are stored.
"""
