"""The on-device side: encodes observations, decides, proposes; and the baselines.

What it does not know: which library runs its model, the scenario, and the write tools' effects.
"""
