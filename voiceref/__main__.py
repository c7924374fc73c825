"""`python -m voiceref`."""

from voiceref.cli import entry

entry()
