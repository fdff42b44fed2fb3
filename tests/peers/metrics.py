"""Reads Prometheus' text format with the Prometheus project's own Python client, as a peer to src/http/console/metrics.

usage: metrics.py < TEXT   prints one JSON object: family -> its kind, what it means, and its samples as [name, labels, value]
"""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

families = {}
for family in text_string_to_metric_families(sys.stdin.read()):
    if family.name in families:
        sys.exit(f"{family.name} comes twice")
    families[family.name] = {
        "kind": family.type,
        "about": family.documentation,
        "samples": [[sample.name, sample.labels, sample.value] for sample in family.samples],
    }
json.dump(families, sys.stdout)
