"""VoiceRef: the offline voice referee for four French party games."""

__version__ = "0.1.0"
