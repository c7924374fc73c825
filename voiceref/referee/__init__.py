"""The session that joins the rooms: phases, dialogue, hourglasses, journal."""
