"""What is asked of every part of a call: all that it remembers is in the state that moves with the call.

The parts are found by looking at a call in which everything happens, so a new field is among them by itself.
"""

from typing import get_args, get_type_hints

import pytest

from service.call import CallState
from service.dialogue.memory import QuantityForm, Said, SaidForm
from service.dialogue.quantities import Quantity
from service.monitor_settings import MonitorSettings
from service.pace import HeardForm, Pace, PaceForm, _Heard
from service.state.snapshot import OpenCall, read_snapshot, write_snapshot
from tests.service.state.busy_call import busy_call
from tests.service.state.parts import NOT_WRITTEN, declared_fields, differences, fields_of, parts_of
from tests.service.state.replicas import by_way_of_json, ledger, replica
from tests.service.state.write_fields import FIELDS


@pytest.fixture(scope="module")
def call() -> OpenCall:
    return busy_call()


def test_a_call_that_was_written_and_read_is_the_same_in_every_field(call: OpenCall) -> None:
    state = by_way_of_json(write_snapshot(call))

    restored = read_snapshot(state, ledger(), MonitorSettings().call, last_heard=0.0)

    assert list(differences(call, restored)) == []
    assert write_snapshot(restored) == write_snapshot(call)


def test_the_call_of_these_tests_has_something_in_every_field(call: OpenCall) -> None:
    """Else a field that a state leaves out would go unnoticed: let something happen in `busy_call` that fills it."""
    written = {(type(part), name): False for part in parts_of(call) for name in fields_of(part)}
    for part in parts_of(call):
        for name, value in fields_of(part).items():
            written[type(part), name] |= value is not None and value not in (False, 0, "", (), [], {})

    assert [f"{part.__name__}.{name}" for (part, name), filled in written.items() if not filled] == []


def test_a_change_of_what_a_call_remembers_raises_the_version_of_its_form(call: OpenCall) -> None:
    """CONTRIBUTING says what to do where this fails."""
    assert FIELDS.read_text("utf-8").splitlines() == declared_fields(call)


@pytest.mark.parametrize(
    ("part", "form"), [(Said, SaidForm), (Quantity, QuantityForm), (_Heard, HeardForm), (Pace, PaceForm)]
)
def test_a_row_has_the_types_of_the_fields_that_it_is_made_of(part: type, form: type) -> None:
    assert get_args(form) == tuple(get_type_hints(part).values())


def test_what_is_left_out_of_a_state_is_still_a_field(call: OpenCall) -> None:
    known = {type(part): part for part in parts_of(call)}

    assert all(hasattr(known[part], name) for part, names in NOT_WRITTEN.items() for name in names)
    assert CallState in known


def test_a_monitor_remembers_nothing_of_a_call_beside_its_open_call() -> None:
    """What has ended stays behind; the rest is given to every monitor alike."""
    given = {"_settings", "_recommendation", "_signals", "_answerers", "_risk_model", "_new_ledger"}

    assert set(vars(replica())) == given | {"_calls", "_ended"}
