"""Golden lines of every event version ever released: lines are added, never changed."""
