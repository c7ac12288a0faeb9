"""Models in processes of their own, and the pipe of records between them and the harness."""
