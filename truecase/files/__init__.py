"""Files as a whole: written completely or not at all."""
