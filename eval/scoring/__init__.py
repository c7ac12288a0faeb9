"""Scores of runs: features of episodes, metrics over them, intervals, comparisons, warnings."""
