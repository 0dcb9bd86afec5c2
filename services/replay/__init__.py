"""Reading the past: any match rebuilt at any version, checked, shown, written and read again.

What stands lower here is imported by what stands above it, never the other way:

    pages/ timeline                  a moment as a page of text; the stops one walks between
    looks, deductions/               what a viewer sees, and what it could tell from that
    text/                            a match as a text for people, read back by the rules
    match_entries                    a match file back to what a log stores, audited
    match_reading, match_file        match files: read, written for a viewer
    audit_log, audit                 a whole log; one match
    reexecution, luck, actions       an event made again; whose luck; what was said
    heads, signed_heads, rebuild     histories compared; signed; a match at a version
"""
