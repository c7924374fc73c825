"""Who was first, last, tied: onsets, attribution, verdict."""
