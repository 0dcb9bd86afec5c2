"""A service for the page's tests, one for each file that needs nothing else of it."""

from collections.abc import Iterator

import pytest

from tests.page.browsers import browser
from tests.service.up_process import Up, running


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    browser()
    with running(tmp_path_factory.mktemp("page") / "data") as found:
        yield found
