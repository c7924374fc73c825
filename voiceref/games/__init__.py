"""Pure rules of the four games: no I/O, no clock, no random numbers."""
