"""The state of an open call as one versioned piece of plain data, and the call that goes on from it.

Each part of a call writes its own form and is made of it again (`form`, `of_form`, `resume`); this puts them together,
and checks the types of all that is read. Forms hold what was said, so they go nowhere but to the state topic.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from service.call import CallForm, CallState
from service.dialogue.ledger import AssertionLedger
from service.monitor_settings import CallSettings
from service.observation import StateUnreadable
from service.summary import CallTally, TallyForm

FORM_VERSION: Final = 1
"""Raised with every change of a form: a state of another version is not read."""


class SnapshotForm(TypedDict):
    """The state of an open call."""

    version: int
    call: CallForm
    tally: TallyForm


@dataclass(slots=True)
class OpenCall:
    """A call that is followed: what its assessments depend on, and what they have come to."""

    state: CallState
    tally: CallTally


_FORM: Final = TypeAdapter(SnapshotForm)


def write_snapshot(call: OpenCall) -> dict[str, Any]:
    """A call's state as JSON-able data; nothing that goes on in the call changes it."""
    form: SnapshotForm = {"version": FORM_VERSION, "call": call.state.form(), "tally": call.tally.form()}
    return cast("dict[str, Any]", form)


def read_snapshot(
    state: Mapping[str, Any], ledger: AssertionLedger, settings: CallSettings, last_heard: float
) -> OpenCall:
    """The call that a state was written of.

    Args:
        state: From `write_snapshot`, perhaps by way of JSON.
        ledger: A new one.
        settings: Bounds of what is remembered.
        last_heard: When its last segment came, on the monitor's clock (seconds).

    Raises:
        StateUnreadable: it is of another version or form.
    """
    if state.get("version") != FORM_VERSION:
        raise StateUnreadable("the state of a call is of another version")
    try:
        form = _FORM.validate_python(state)
        return OpenCall(
            CallState.of_form(form["call"], ledger, settings, last_heard), CallTally.of_form(form["tally"])
        )
    except (ValidationError, ValueError) as error:  # their messages quote what was said
        raise StateUnreadable(f"the state of a call cannot be read: {type(error).__name__}") from None
