"""What PostgreSQL keeps of a password (RFC 5803), so that it is never told the password itself."""

import os
from base64 import b64encode
from hashlib import pbkdf2_hmac, sha256
from hmac import digest
from typing import Final

ITERATIONS: Final = 4_096
"""PostgreSQL's own number; our passwords are random, so that more would add nothing."""
SALT_BYTES: Final = 16


def verifier(password: str, salt: bytes | None = None) -> str:
    """The verifier of an ASCII password, as `alter role … password` takes it."""
    salt = os.urandom(SALT_BYTES) if salt is None else salt
    salted = pbkdf2_hmac("sha256", password.encode("ascii"), salt, ITERATIONS)
    stored = sha256(digest(salted, b"Client Key", "sha256")).digest()
    server = digest(salted, b"Server Key", "sha256")
    return f"SCRAM-SHA-256${ITERATIONS}:{_text(salt)}${_text(stored)}:{_text(server)}"


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")
