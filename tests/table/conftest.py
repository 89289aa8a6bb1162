"""Closes the houses that a test opens."""

import pytest

from tests.table.table_kit import House


@pytest.fixture
def house(request):
    """`house()` opens one; all are closed after the test."""
    opened = []

    def make(*args, **kwargs):
        opened.append(House(*args, **kwargs))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
