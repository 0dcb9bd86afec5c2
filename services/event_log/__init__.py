"""The event log: the append-only truth. Others import the port; adapters are for composition."""
