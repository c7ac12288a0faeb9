"""What a phone holds that has nothing to do with the scenario: a life of its own, and its noise.

``filler`` makes a phone lived in, ``chatter`` lets things happen by the way. Both keep off what the
scenario has claimed. What it does not know: users, solutions, how an episode is played.
"""
