"""What every kernel and thread uses: status codes, threads."""
