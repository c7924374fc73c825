"""Samples to Hypothesis: voice activity, endpoint, recogniser, judge."""
