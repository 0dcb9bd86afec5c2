"""A match as rows for analysts: what was revealed, folded again by the rules, in seven tables.

What stands lower here is imported by what stands above it, never the other way:

    parquet                  a folder of Parquet files, by DuckDB; the one module that needs it
    folder, views            where the files lie; the views over them as SQL
    match_rows               all rows of one match
    matches, rounds, bots    rows that sum up; what a bot was shown
    deals, plays, melds      rows of what was dealt, done and laid
    story                    a match cut into its rounds; who held a seat
    told, counts             what of a match may be told; how many rows that must give
    tables                   the tables and their columns

Nothing here sees a pack before its round is revealed: `told` cuts it off before anything is folded.
"""
