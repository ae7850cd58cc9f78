"""Writes down what a call is made of, in this version of its form: `python -m tests.service.state.write_fields`."""

from pathlib import Path

from service.state.snapshot import FORM_VERSION
from tests.service.state.busy_call import busy_call
from tests.service.state.parts import declared_fields

FIELDS = Path(__file__).with_name(f"fields_{FORM_VERSION}.txt")

if __name__ == "__main__":
    FIELDS.write_text("\n".join(declared_fields(busy_call())) + "\n", "utf-8")
