"""What every adapter promises. New adapters are found by themselves: they need no more than a golden file."""

import pkgutil
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import streams.adapters
from streams.adapters.conversion import Converted, RecogniserFormat, convert
from streams.adapters.delivery import Delivery
from streams.adapters.registry import ADAPTERS, Format
from streams.decoding import Ignored, decode
from streams.encoding import segment_fields
from streams.fields import Limits, MalformedRecord
from streams.messages import Segment
from tests.streams.adapters.golden import (
    FOLDER,
    KEY,
    Golden,
    golden_cases,
    outcome,
    places,
    with_value,
    without,
    written,
)

CANARY = "xylocanary"
CASES = golden_cases()
NO_ADAPTERS = {"conversion", "delivery", "registry", "result", "times"}
WRONG: tuple[Any, ...] = ([CANARY], {CANARY: CANARY}, CANARY, 7.5, True)
NUMBERS = (int, float)

formats = st.sampled_from(sorted(ADAPTERS))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_every_adapter_is_registered_and_has_golden_messages() -> None:
    modules = {module.name for module in pkgutil.iter_modules(streams.adapters.__path__)} - NO_ADAPTERS
    assert modules == set(ADAPTERS) == {file.stem for file in FOLDER.glob("*.json")}


@pytest.mark.parametrize("golden", CASES, ids=lambda golden: golden.name)
def test_a_documented_message_becomes_what_the_golden_file_says(golden: Golden) -> None:
    assert outcome(golden.convert()) == golden.expected


@pytest.mark.parametrize("name", sorted(ADAPTERS))
def test_the_golden_messages_of_an_adapter_show_all_that_it_must_do(name: Format) -> None:
    expected = [golden.expected for golden in CASES if golden.format.name == name]
    segments = [segment for each in expected for segment in each.get("segments", ())]
    assert {"ignored": "no_words"} in expected
    assert any("words" in segment for segment in segments)
    assert {segment["speaker"] for segment in segments} >= {"patient", "clinician"}


@pytest.mark.parametrize("golden", CASES, ids=lambda golden: golden.name)
def test_the_same_record_always_gives_the_same_segments(golden: Golden) -> None:
    assert golden.convert() == golden.convert()


@pytest.mark.parametrize("golden", CASES, ids=lambda golden: golden.name)
def test_a_segment_of_an_adapter_is_one_that_the_decoder_reads(golden: Golden) -> None:
    assert_readable(golden.convert())


@pytest.mark.parametrize(
    "golden", [golden for golden in CASES if golden.required], ids=lambda golden: golden.name
)
def test_a_required_field_that_is_missing_is_named(golden: Golden) -> None:
    paths = {written(path): path for path, _ in places(golden.message)}
    for place in golden.required:
        with pytest.raises(MalformedRecord) as caught:
            golden.convert(without(golden.message, paths[place]))
        assert (caught.value.kind, caught.value.place, caught.value.adapter) == (
            "missing_field",
            place,
            golden.format.name,
        )


@pytest.mark.parametrize("golden", CASES, ids=lambda golden: golden.name)
def test_a_field_of_a_wrong_type_is_named_or_not_read_at_all(golden: Golden) -> None:
    read = golden.convert()
    refused = set()
    for path, value in places(golden.message):
        for wrong in WRONG:
            if same_type(wrong, value):
                continue
            changed = attempt(orjson.dumps(with_value(golden.message, path, wrong)), golden.format)
            if isinstance(changed, MalformedRecord):
                assert (changed.place, changed.adapter) == (written(path), golden.format.name)
                assert CANARY not in str(changed)
                refused.add(changed.place)
            else:
                assert changed == read, written(path)
    assert refused or "ignored" in golden.expected or "call_ended" in golden.expected


@settings(max_examples=150)
@given(golden=st.sampled_from(CASES), data=st.data())
def test_a_message_changed_in_any_way_is_read_or_refused(golden: Golden, data: st.DataObject) -> None:
    path, _ = data.draw(st.sampled_from(list(places(golden.message))))
    changed = (
        without(golden.message, path)
        if data.draw(st.booleans())
        else with_value(golden.message, path, data.draw(json_values))
    )
    read_or_refused(orjson.dumps(changed), golden.format)


@settings(max_examples=150)
@given(name=formats, value=st.dictionaries(st.text(max_size=8), json_values, max_size=5).map(orjson.dumps))
def test_any_object_is_read_or_refused(name: Format, value: bytes) -> None:
    read_or_refused(value, RecogniserFormat(name=name))


@given(name=formats, value=st.binary(max_size=60) | json_values.map(orjson.dumps))
def test_any_bytes_are_read_or_refused(name: Format, value: bytes) -> None:
    read_or_refused(value, RecogniserFormat(name=name))


def read_or_refused(value: bytes, format_: RecogniserFormat) -> None:
    converted = attempt(value, format_)
    if isinstance(converted, MalformedRecord):
        assert converted.adapter == format_.name
        assert converted.__cause__ is None
    else:
        assert_readable(converted)


def attempt(value: bytes, format_: RecogniserFormat) -> Converted | MalformedRecord:
    try:
        return convert(value, Delivery(KEY), format_, Limits())
    except MalformedRecord as error:
        return error


def assert_readable(converted: Converted) -> None:
    if isinstance(converted.messages, Ignored):
        return
    for message in converted.messages:
        if isinstance(message, Segment):
            assert decode(orjson.dumps(segment_fields(message)), Limits()).message == message


def same_type(one: Any, other: Any) -> bool:
    return type(one) is type(other) or (type(one) in NUMBERS and type(other) in NUMBERS)
