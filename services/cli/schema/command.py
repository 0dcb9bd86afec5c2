"""`waraq schema`: writes the contract's files into a folder."""

from hashlib import sha256
from pathlib import Path

import click
from msgspec import Struct

from services.cli import say
from services.cli.exits import FAILED, stop
from services.cli.out_file import written
from services.cli.place import as_json
from services.cli.schema.files import contract


class Wrote(Struct, frozen=True, kw_only=True):
    """A file that was written; `sha256` of its bytes, in hex."""

    file: str
    bytes: int
    sha256: str


@click.command()
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The folder to write into; it is made if it is not there.",
)
@as_json
def schema(out: Path, *, as_json: bool) -> None:
    """Write the contract for client authors: JSON Schema, AsyncAPI 3, TypeScript types."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        stop(FAILED, f"{out} cannot be made: {error.strerror}; name another folder with --out")
    for name, data in contract().items():
        path = out / name
        with written(str(path), private=False) as file:
            file.write(data)
        wrote = Wrote(file=str(path), bytes=len(data), sha256=sha256(data).hexdigest())
        say.result(wrote, f"wrote {path}", as_json=as_json)
