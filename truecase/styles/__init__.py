"""How text comes out: as sentences, as titles, in upper case."""
