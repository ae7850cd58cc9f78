"""What is understood of spoken lines, beside medspaCy, on the hand-written spoken cases.

    python -m benchmarks.assertions

Needs the extra `compare`; on Python 3.11 an environment of its own (`pip install medspacy pydantic rapidfuzz`).

Both are given each case's own concepts as terms, so that only what is said of them is compared: affirmed, denied, open
(possible, or only supposed) or of the past; the patient's or another's. medspaCy reads notes, line by line, with its
own rules in its own pipeline (PyRuSH sentences, ConText). What it cannot express does not count against it: what is
planned may be open or present for it, and any other person is family.
"""

import importlib
import logging
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from tests.service.dialogue.spoken_cases import Case, Expected, spoken_cases
from tests.service.dialogue.understanding import asserted_of, read_case

Understanding = Callable[[Case], list[bool]]
"""For each concept of a case, whether it is understood as expected."""


def main() -> None:
    """Prints accuracies by half of the cases, for both."""
    cases = [case for case in spoken_cases() if asserted_of(case)]
    groups = {
        "one line, developed": [case for case in cases if len(case.lines) == 1 and case.half == "developed"],
        "one line, kept aside": [case for case in cases if len(case.lines) == 1 and case.half == "kept"],
        "dialogues, developed": [case for case in cases if len(case.lines) > 1 and case.half == "developed"],
        "dialogues, kept aside": [case for case in cases if len(case.lines) > 1 and case.half == "kept"],
        "all": cases,
    }
    readers: dict[str, Understanding] = {"auscult": _auscult, "medspacy": _medspacy()}
    sys.stdout.write(
        f"{'cases':24}{'':>5}" + "".join(f"{f'{name}: cases':>18}{'concepts':>10}" for name in readers) + "\n"
    )
    for name, group in groups.items():
        figures = "".join(
            f"{of_cases:>18.1%}{of_concepts:>10.1%}"
            for of_cases, of_concepts in (_accuracy(reader, group) for reader in readers.values())
        )
        sys.stdout.write(f"{name:24}{len(group):>5}{figures}\n")


def _accuracy(reader: Understanding, cases: Sequence[Case]) -> tuple[float, float]:
    """Share of cases with every concept understood, and of concepts."""
    held = [reader(case) for case in cases]
    concepts = [one for case in held for one in case]
    return sum(map(all, held)) / len(held), sum(concepts) / len(concepts)


def _auscult(case: Case) -> list[bool]:
    reading = read_case(case)
    return [reading.holds(expected) for expected in asserted_of(case)]


def _medspacy() -> Understanding:
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    importlib.import_module("loguru").logger.remove()  # PyRuSH logs every token
    pipeline = importlib.import_module("medspacy").load()
    rule = importlib.import_module("medspacy.ner").TargetRule

    def understands(case: Case) -> list[bool]:
        expected = asserted_of(case)
        pipeline.remove_pipe("medspacy_target_matcher")
        matcher = pipeline.add_pipe("medspacy_target_matcher", before="medspacy_context")
        matcher.add([rule(one.concept, "PROBLEM") for one in expected])
        found = {entity.text.lower(): entity._ for _, text in case.lines for entity in pipeline(text).ents}
        return [_agrees(found.get(one.concept.lower()), one) for one in expected]

    return understands


def _agrees(entity: Any, expected: Expected) -> bool:
    if entity is None:
        return False
    if entity.is_hypothetical or entity.is_uncertain:
        status = "open"
    elif entity.is_negated:
        status = "absent"
    else:
        status = "past" if entity.is_historical else "present"
    accepted = {"open", "present"} if expected.status == "planned" else {expected.status}
    return status in accepted and entity.is_family != expected.own


if __name__ == "__main__":
    main()
