"""Reading the past: any match rebuilt at any version, and checked."""
