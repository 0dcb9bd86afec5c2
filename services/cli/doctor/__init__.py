"""`waraq doctor`: what is wrong, how bad it is, and what to do next. It changes nothing."""
