"""One PostgreSQL laid out for all tests of deploy/postgres."""

from collections.abc import Iterator

import pytest

from tests.deploy.databases import Laid, laid_out
from tests.deploy.secrets import make_secrets


@pytest.fixture(scope="package")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laid]:
    with laid_out(make_secrets(tmp_path_factory.mktemp("deployed") / "secrets")) as found:
        yield found
