"""Three observers for Heron, to be read and copied; none of them is good."""
