"""`waraq bench`: what the service costs and what it can do, measured beside peers and raw limits.

A module a measure. Each number is the median of several runs with its range; the sides of a ratio
take turns (A B A B …), so that whatever else the machine does falls on both.
"""
