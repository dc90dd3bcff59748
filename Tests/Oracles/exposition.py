"""Prometheus' own parser of the text format: prints what it reads as JSON.

exposition.py FILE_OR_URL
"""

import json
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families


def text(value):
    """Returns a double as Swift writes it, which is as short as tells it apart."""
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    return repr(float(value))


def main():
    if sys.argv[1].startswith("http://"):
        with urllib.request.urlopen(sys.argv[1], timeout=20) as answer:
            content = answer.read().decode()
    else:
        with open(sys.argv[1], encoding="utf-8") as file:
            content = file.read()
    kinds, samples = {}, []
    for family in text_string_to_metric_families(content):
        kinds[family.name] = family.type
        for sample in family.samples:
            samples.append(
                {"name": sample.name, "labels": sample.labels, "value": text(sample.value)})
    json.dump({"kinds": kinds, "samples": samples}, sys.stdout)


main()
