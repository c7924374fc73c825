"""Words to Match or Rejection: catalogue, patterns, slots, matcher."""
