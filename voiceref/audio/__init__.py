"""Samples in and out: microphone, wave file, player, resampling, levels."""
