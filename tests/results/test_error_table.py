"""Tables of errors as they are read: another table is named."""

import pandas as pd
import pytest

from manybandits.base.artifacts import save_table
from manybandits.base.exceptions import InputError
from manybandits.figures import alignment
from manybandits.results.error_table import load_errors
from tests.planted.errors import plant_powers


def test_another_table_is_named(tmp_path):
    path = plant_powers(tmp_path)
    with pytest.raises(InputError, match="is not a table of coefficients: it has the columns swept"):
        alignment.load_parts(path)
    save_table(path, pd.DataFrame({"x": [1]}))
    with pytest.raises(InputError, match="is not a table of errors: it has the columns x"):
        load_errors([path])
