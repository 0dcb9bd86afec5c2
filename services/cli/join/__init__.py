"""`waraq join`: a person at a table, in a terminal."""
