"""Tables: columns of text in Parquet, Arrow IPC, JSON lines, CSV and TSV, cased in place."""
