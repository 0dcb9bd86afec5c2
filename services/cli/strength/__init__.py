"""`make strength`: is each level as much stronger than the one below as was promised?

Not a command of `waraq`, nor a test: it takes the better part of an hour, and it is for whoever
changes a bot and has docs/bots.md in a checkout.
"""
