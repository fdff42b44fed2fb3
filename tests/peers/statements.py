"""Adds up a column of .csv files with Python's own csv module: {"path", "encoding", "separator", "skipped", "column", "comma"}, a list of them."""

import csv
import json
import re
import sys
from decimal import Decimal


def amount(text, has_comma):
    digits = re.sub(r"[^0-9,.+-]", "", text)
    digits = digits.replace(".", "").replace(",", ".") if has_comma else digits.replace(",", "")
    if digits.endswith("-"):
        digits = "-" + digits[:-1]
    return Decimal(digits)


def total(file):
    with open(file["path"], encoding=file["encoding"], newline="") as lines:
        for _ in range(file["skipped"]):
            next(lines)
        rows = list(csv.DictReader(lines, delimiter=file["separator"]))
    return str(sum(amount(row[file["column"]], file["comma"]) for row in rows if row[file["column"]]))


json.dump([total(file) for file in json.load(sys.stdin)], sys.stdout)
