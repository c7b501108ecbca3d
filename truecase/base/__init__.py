"""Memory, threads, and bytes that are read and written safely."""
