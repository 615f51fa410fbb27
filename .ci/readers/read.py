"""Reads the downloads of a world by their addresses, as DuckDB and pandas do, and prints what was found as JSON."""

import json
import sys

import duckdb
import duckdb_extensions
import fsspec
import pandas
import pyarrow.parquet

download = sys.argv[1]
found = {}

# Its own way to read addresses comes as an extension.
database = duckdb.connect()
duckdb_extensions.import_extension("httpfs", con=database)
database.execute("LOAD httpfs")


def ask(function, ending):
    return database.execute(f"SELECT count(*), max(radiusKm) FROM {function}('{download}.{ending}')").fetchone()


found["duckdb"] = {
    "parquet": ask("read_parquet", "parquet"),
    "csv": ask("read_csv", "csv"),
    "ndjson": database.execute(
        f"SELECT count(*), max(attributes.radiusKm) FROM read_json('{download}.ndjson')"
    ).fetchone(),
}

frame = pandas.read_parquet(f"{download}.parquet")
found["pandas"] = {
    "parquet": [len(frame), frame["radiusKm"].max()],
    "csv": [len(table := pandas.read_csv(f"{download}.csv")), table["radiusKm"].max()],
    "ndjson": [len(lines := pandas.read_json(f"{download}.ndjson", lines=True)), lines["attributes"].map(lambda one: one["radiusKm"]).max()],
    "radius": str(frame["radiusKm"].dtype),
}

# Only the parts that are needed come over the wire.
with fsspec.open(f"{download}.parquet") as file:
    parts = pyarrow.parquet.ParquetFile(file)
    found["ranges"] = parts.read(columns=["title"]).num_rows

json.dump(found, sys.stdout)
