"""Files of translators: TMX, XLIFF and gettext PO, with the case of their targets restored."""
