"""The bot worker: a view in, a command out. Policies are pure and see nothing but the view."""
