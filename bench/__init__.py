"""Measures Sightline against its peers: one module a task, each printing ours, theirs and the ratio from one run."""
