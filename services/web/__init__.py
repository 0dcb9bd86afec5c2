"""The web worker: sessions, names, tickets, lists, the page's files. It never sees a card."""
