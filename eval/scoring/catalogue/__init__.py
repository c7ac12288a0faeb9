"""Which metrics there are, as data: ``all_metrics.METRICS`` holds them by name."""
