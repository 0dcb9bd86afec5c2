"""A match that is over as a text for people, from which its log can be made again byte for byte."""
