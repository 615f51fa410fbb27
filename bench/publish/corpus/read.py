"""Reads the tables that standard input lists, with libraries that are not ours, and prints their cells.

Standard input holds a JSON list of {file, kind, table, delimiter, encoding, above, below}, standard output a line for each:
{columns, rows, lines}. A cell is null, a text, true or false, {"n": digits}, {"d": RFC 3339 date or date-time},
{"t": time} or {"e": error}.
"""

import csv
import datetime
import json
import sqlite3
import sys

csv.field_size_limit(10_000_000)


def cell(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return {"n": repr(value)}
    if isinstance(value, (datetime.datetime, datetime.date)):
        return {"d": value.isoformat()}
    if isinstance(value, datetime.time):
        return {"t": value.isoformat()}
    return {"e": repr(value)}


def text_rows(job):
    delimiter = job.get("delimiter") or ("\t" if job["file"].endswith(".tsv") else ",")
    above, below = job.get("above", 0), job.get("below", 0)
    with open(job["file"], encoding=job.get("encoding", "utf-8"), newline="") as opened:
        # Lines above the header belong to no table.
        for _ in range(above):
            opened.readline()
        spaced = job.get("spaced", False)
        reader = csv.reader(opened, delimiter=delimiter, skipinitialspace=spaced)
        rows, lines, before = [], [], 0
        for row in reader:
            if row:
                rows.append(row)
                lines.append(above + before + 1)
            before = reader.line_num
    end = len(rows) - below
    return {"columns": rows[0], "rows": rows[1:end], "lines": lines[1:end]}


def sheet_rows(job):
    import openpyxl

    book = openpyxl.load_workbook(job["file"], data_only=True)
    sheet = book[job["table"]] if job.get("table") else book.worksheets[0]
    rows = [[cell(one) for one in row] for row in sheet.iter_rows(values_only=True)]
    width = max(at + 1 for row in rows for at, one in enumerate(row) if one is not None)
    named = ["" if one is None else one for one in rows[0][:width]]
    return {"columns": named, "rows": [row[:width] for row in rows[1:]], "lines": list(range(2, len(rows) + 1))}


def database_rows(job):
    base = sqlite3.connect(f"file:{job['file']}?mode=ro", uri=True)
    found = base.execute(f'SELECT * FROM "{job["table"]}"')
    columns = [one[0] for one in found.description]
    return {"columns": columns, "rows": [[cell(one) for one in row] for row in found], "lines": []}


def parquet_rows(job):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(job["file"])
    columns = [[cell(one) for one in column.to_pylist()] for column in table.columns]
    return {"columns": table.schema.names, "rows": [list(row) for row in zip(*columns)], "lines": []}


READERS = {"text": text_rows, "xlsx": sheet_rows, "db": database_rows, "parquet": parquet_rows}

for job in json.load(sys.stdin):
    print(json.dumps(READERS[job["kind"]](job)), flush=True)
