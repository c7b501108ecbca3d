"""A recurrent layer that decides words in doubt by the first decision of all their neighbours."""
