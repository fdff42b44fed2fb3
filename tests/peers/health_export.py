"""Counts what an Apple Health export holds, with the XML parser of Python's standard library.

usage: health_export.py FILE   prints one JSON object: how many of each kind, and sums to compare values by
"""

import json
import sys
from collections import Counter, defaultdict
from datetime import datetime
from xml.etree.ElementTree import iterparse

SLEEP = "HKCategoryTypeIdentifierSleepAnalysis"
ENTRIES = ("Record", "Correlation", "Workout", "ActivitySummary")


def at(text):
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z").timestamp()


def main():
    counts, sums, stages = Counter(), defaultdict(float), defaultdict(float)
    depth = 0
    root = None
    for event, element in iterparse(sys.argv[1], events=("start", "end")):
        if event == "start":
            root = element if root is None else root
            depth += 1
            continue
        depth -= 1
        if depth != 1 or element.tag not in ENTRIES:
            continue
        kind = element.get("type", "")
        counts[kind if element.tag == "Record" else element.tag] += 1
        seconds = at(element.get("endDate")) - at(element.get("startDate")) if element.get("endDate") else 0
        if kind == SLEEP:
            stages[element.get("value")] += seconds
        elif element.tag == "Record":
            sums[kind] += float(element.get("value"))
            sums["starts"] += at(element.get("startDate"))
        root.clear()
    json.dump({"counts": counts, "sums": sums, "stages": stages}, sys.stdout)


main()
