"""What intercept costs, as ratios to the SDK alone in the same run: `python -m benchmarks`."""
