"""The apps of the phone, one file or folder each; ``heron.sim.installed`` finds them."""
