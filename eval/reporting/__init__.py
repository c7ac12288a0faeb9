"""The report of runs: one HTML page that opens from disk, Markdown, CSV and Parquet."""
