"""What strangers may send us: pages, documents and files that were made to do harm, or that were damaged."""
