"""Either game in a terminal: its page, what is offered, what a line means."""
