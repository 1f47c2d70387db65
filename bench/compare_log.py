#!/usr/bin/env python3
"""Compares what the practice window saved with the sheet that was to be entered, field by field.

    bench/compare_log.py SHEET.csv LOG.jsonl

The columns of the sheet are, in this order: order number, customer, product code, quantity, price, payment, urgent
(yes/no, 是/否), remark. Every value must be equal as text. Ends with `saved N of M`; exit code 0 when all are
saved, each once, in order, without a difference, and 1 otherwise.
"""

import csv
import json
import sys

FIELDS = ["order_no", "customer", "product_code", "quantity", "unit_price", "payment", "urgent", "remark"]
TRUTH = {"yes": True, "no": False, "是": True, "否": False}


def read_sheet(path):
    with open(path, encoding="utf-8-sig", newline="") as stream:
        rows = [row for row in csv.reader(stream) if any(row)]
    records = [dict(zip(FIELDS, row)) for row in rows[1:]]
    for record in records:
        record["urgent"] = TRUTH[record["urgent"]]
    return records


def read_log(path):
    try:
        with open(path, encoding="utf-8") as stream:
            return [json.loads(line) for line in stream if line.strip()]
    except FileNotFoundError:
        return []


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: bench/compare_log.py SHEET.csv LOG.jsonl")
    expected, saved = read_sheet(sys.argv[1]), read_log(sys.argv[2])
    right = fields = 0
    for number, record in enumerate(expected, 1):
        found = saved[number - 1] if number <= len(saved) else None
        if found is None:
            print(f"  record {number}: not saved")
            continue
        wrong = [key for key in FIELDS if found.get(key) != record[key]]
        fields += len(FIELDS) - len(wrong)
        for key in wrong:
            print(f"  record {number}, {key}: {found.get(key)!r} instead of {record[key]!r}")
        right += not wrong
    for number in range(len(expected) + 1, len(saved) + 1):
        print(f"  record {number}: saved but not in the sheet")
    print(f"  {fields} of {len(expected) * len(FIELDS)} fields equal")
    print(f"saved {right} of {len(expected)}")
    sys.exit(0 if right == len(expected) == len(saved) else 1)


if __name__ == "__main__":
    main()
