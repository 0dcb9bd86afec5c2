"""The auth worker: the broker asks it who a player is, and it reads the token."""
