"""Golden lines of every event, command, ask and feed message ever released, and the schema that
clients were promised: lines are added, never changed (docs/schema/README.md).
"""
