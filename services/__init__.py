"""The workers and what they share. See docs/architecture.md for who may import whom."""
