"""The scoring worker: says what a round was worth, and keeps standings."""
