"""The command line, `waraq`."""
