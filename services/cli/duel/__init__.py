"""`waraq duel`: two bots on duplicate deals, in process.

Each deal is played twice with the same luck, the second time with the chairs changed about, so
that what is left of the difference is skill. The deal, its two rounds together, is the unit of
every interval.
"""
