"""`waraq join`: a person at a table, in a terminal.

What stands lower here is imported by what stands above it, never the other way:

    command                          the words of the command line
    stay                             from coming in to going home: one match after another
    person                           one match, from sitting down to getting up
    arrival, next_match              the way to the chair; to the match after this one
    talk                             between the person and the table
    advice                           the master's look in words
    opening, outside                 a table to be opened; what the table does not know
    news, games/                     what has happened; each game's page, offers and moves in words
    people, speech, terminal         who is who; the words; lines in and out
    fitting                          lines of the table broken between cards
    ways                             the command by which one comes to a table
    session/                         who one is at a server: kept, renewed, names, tickets
    client, following, patience      the whole client; its fold; when it asks
"""
