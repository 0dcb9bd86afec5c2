"""Messages between processes. Others import the port; adapters are for composition."""

from services.messaging.lean import spare_websockets

spare_websockets()
