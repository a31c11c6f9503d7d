"""Looks at the keys of a load while its rows come, so that the database need not look for empty and doubled ones."""

from typing import Any

import numpy as np
import pyarrow as pa

from sightline.flow._duckdb import open_duckdb
from sightline.flow.deliver._schema import LoadColumns

# Values of these are the same if their bytes are; 1.5 and 1.50, or zeros of two signs, need not be.
_BYTEWISE = ("boolean", "integer", "text", "binary", "date", "time", "timestamp", "instant")
# PostgreSQL looks at so many keys in less time than DuckDB takes to start: 50 ms.
FEW_ROWS = 50_000
# Each key is remembered as 8 bytes: 64 MB. In longer loads the database looks.
MOST_ROWS = 1 << 23


class KeyWatch:
    """Says whether all keys of a load that was seen batch by batch are filled, and whether they surely differ.

    Keys are compared by hashes of 64 bits. Those of equal keys are equal, so keys with different hashes differ; of two
    equal hashes nothing is said.
    """

    def __init__(self, columns: LoadColumns) -> None:
        self._names = [f"c{place}" for place in columns.key]
        self._compares = all(columns.kinds[place].family in _BYTEWISE for place in columns.key)
        self._hashes: list[Any] = []
        self._rows = 0
        self._connection: Any = None
        self.filled = True

    def see(self, batch: Any) -> None:
        """Look at the next rows."""
        keys = batch.select(self._names)
        self.filled = self.filled and not any(column.null_count for column in keys.columns)
        self._rows += keys.num_rows
        if (not self._hashes and keys.num_rows < FEW_ROWS) or self._rows > MOST_ROWS:
            self._compares = False
            self._hashes.clear()
        if self._compares:
            self._hashes.append(self._hashed(keys))

    def _hashed(self, keys: Any) -> Any:
        if self._connection is None:
            self._connection = open_duckdb()
        self._connection.register("keys", pa.Table.from_batches([keys]))
        query = f"SELECT hash({', '.join(self._names)}) AS hash FROM keys"
        hashes = self._connection.execute(query).fetchnumpy()["hash"]
        self._connection.unregister("keys")
        return hashes

    def differ(self) -> bool:
        """Whether no key came twice, for sure."""
        if not self._compares:
            return False
        sorted_hashes = np.sort(np.concatenate(self._hashes))
        return not bool((sorted_hashes[1:] == sorted_hashes[:-1]).any())

    def close(self) -> None:
        """Let go of what was remembered."""
        self._hashes.clear()
        if self._connection is not None:
            self._connection.close()
