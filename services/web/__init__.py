"""The web worker: sessions, display names, and the page's files. It never sees a card."""
