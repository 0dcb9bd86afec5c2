"""The table worker: the only writer of matches."""
