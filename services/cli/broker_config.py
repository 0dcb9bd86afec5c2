"""`waraq broker-config`: what the configuration of a broker of one's own includes."""

import sys

import click

from services.messaging.outside import outside_config


@click.command()
def broker_config() -> None:
    """Print limits, accounts and users' rights for a broker of your own (deploy/nats/)."""
    sys.stdout.write(outside_config())
