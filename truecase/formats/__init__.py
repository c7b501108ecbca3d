"""Files whose texts are cased in place: subtitles, transcripts, translations, catalogues, pages."""
