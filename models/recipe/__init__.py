"""How the ear's models are made: see README.md. Nothing here is needed to play."""
