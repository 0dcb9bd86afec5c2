"""The rules: pure functions on frozen states. The same code for table, bots, referee and audit."""
