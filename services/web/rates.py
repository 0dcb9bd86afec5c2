"""How often one address may ask, and what counts as one."""

from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from services.runtime.rates import Rate

HOME_BITS: Final = 64
"""Of an IPv6 address: one household has all that follow."""
WRITES: Final = Rate(burst=60, per_second=1.0)
"""What changes something: sessions, names, tickets. Behind one address may be a whole mobile
network.
"""
READS: Final = Rate(burst=200, per_second=20.0)
FILES: Final = Rate(burst=5_000, per_second=200.0)
"""The page and its files, some eighty for each visit and 54 more where somebody plays with the
classic cards: they lie in memory and touch no database.
"""


def household(address: str) -> str:
    """What is counted as one: an IPv4 address, or an IPv6 network."""
    try:
        found = ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ip_network((int(found), HOME_BITS), strict=False))
    return str(found)
