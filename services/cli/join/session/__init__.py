"""A player's session with a server: kept, renewed, and what the web worker says by it."""
