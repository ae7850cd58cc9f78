"""Runs the cases, prints a line for each, and ends with status 1 when one failed."""

import argparse
import asyncio
import logging
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path

from benchmarks.apache_kafka.broker import ApacheKafka, apache_kafka
from benchmarks.faults.cases import CASES
from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage

DELIVERIES = ("at_least_once", "exactly_once")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--case", action="append", choices=CASES, help="Only this; may be repeated.")
    parser.add_argument("--delivery", action="append", choices=DELIVERIES, help="Only this way.")
    parser.add_argument("--short", action="store_true", help="Smaller, for CI.")
    parser.add_argument("--logs", type=Path, help="Folder for the logs of the service and the broker.")
    given = parser.parse_args()
    # The client reports every try to reach a broker that is away.
    logging.getLogger("aiokafka").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.logs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with apache_kafka(folder) as kafka:
            return _run(kafka, folder, given.case or list(CASES), given.delivery or DELIVERIES, given.short)


def _run(
    kafka: ApacheKafka, folder: Path, cases: Sequence[str], deliveries: Sequence[str], short: bool
) -> int:
    failed = 0
    for case in cases:
        for delivery in deliveries:
            try:
                outcome = asyncio.run(_played(Stage(kafka, case, delivery, folder, short)))
            except Exception:  # noqa: BLE001 - a case that breaks is a case that failed; the others still count
                failed += 1
                sys.stdout.write(f"FAIL {case:<28} {delivery:<14} {traceback.format_exc()}\n")
            else:
                failed += not outcome.passed
                sys.stdout.write(outcome.line() + "\n")
            sys.stdout.flush()
    total = len(cases) * len(deliveries)
    sys.stdout.write(f"{total - failed} passed, {failed} failed\n")
    return int(failed > 0)


async def _played(stage: Stage) -> Outcome:
    await stage.prepare()
    return await CASES[stage.case](stage)


if __name__ == "__main__":
    sys.exit(main())
