"""Measures the crawler: how well it keeps to the pages looked for, what it costs, and what it survives."""
