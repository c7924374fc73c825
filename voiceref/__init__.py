"""VoiceRef: the offline voice referee for four French party games."""
