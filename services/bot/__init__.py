"""The bot worker: a view in, a command out. Policies are pure and see nothing but the view.

worker      turns from the bus in, answers out; answering: what is said on a turn
searching   turns that take their time, each once: for a search, or since people look on
pool        the processes in which it is made; thinker: one of them
policy      the one function that decides; hokm/ and hand/: each game's
luck        a bot's own chance, from the view
"""
