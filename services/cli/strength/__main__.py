"""`python -m services.cli.strength`; see `make strength`."""

from services.cli.strength.command import strength

if __name__ == "__main__":
    strength(prog_name="strength")
