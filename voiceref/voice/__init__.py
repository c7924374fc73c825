"""French wording, synthesis, announcer."""
