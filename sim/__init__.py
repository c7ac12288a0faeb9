"""The simulated phone: clock, event queue, world, apps, notification centre, scripted users.

What it does not know: any model, the network, the wall clock, or how an episode is scored.
"""
