"""Files of other systems, taken over and proved: what was mapped does what the file says.

The mapping itself is in ``heron.scenarios.are``; here the reference is replayed and compared with
the file's own final state, and files are written, each whole or not at all.
"""
