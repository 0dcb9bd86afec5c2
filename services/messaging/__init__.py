"""Messages between processes. Others import the port; adapters are for composition."""
