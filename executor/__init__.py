"""The acting side: tool loop under a grant, limits, and the baselines.

What it does not know: which library runs its model, the scenario, and the user's latent goal.
"""
