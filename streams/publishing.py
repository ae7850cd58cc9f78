"""What is sent, where to, and waiting until it is acknowledged."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from aiokafka import AIOKafkaProducer
from aiokafka.errors import IllegalOperation, KafkaError
from faststream.kafka import KafkaBroker

from streams.call_state import CallStateRecord, encode_call_state
from streams.dead_letters import DeadLetter, Headers
from streams.encoding import encode_assessment, encode_flag, encode_summary
from streams.messages import Assessment, CallSummary
from streams.schemas import AssessmentRecord, CallRecord, FlagRecord, StateRecord
from streams.topics import TopicNames

Target = Literal["assessments", "flags", "calls", "dead_letters", "state"]

_SCHEMAS: Final[dict[Target, type | None]] = {
    "assessments": AssessmentRecord,
    "flags": FlagRecord,
    "calls": CallRecord,
    "dead_letters": None,
    "state": StateRecord,
}
_JSON: Final = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True)
class Output:
    """One record to send.

    Attributes:
        target: The topic, by its field of `TopicNames`.
        key: The call id; a dead letter's original key.
        value: JSON; a dead letter's original value; None: a tombstone.
        headers: Hold no transcript text.
        partition: Where it goes; None: where its key says.
        forwarded: Further headers: those of a dead letter's original.
    """

    target: Target
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    headers: dict[str, str] = field(default_factory=lambda: _JSON)
    partition: int | None = None
    forwarded: Headers = field(default=(), repr=False)


def assessment_outputs(assessments: Sequence[Assessment]) -> list[Output]:
    """Each assessment, then its flags, in the given order."""
    outputs = []
    for assessment in assessments:
        key = assessment.segment.call_id.encode()
        outputs.append(Output("assessments", key, encode_assessment(assessment)))
        outputs.extend(
            Output("flags", key, encode_flag(flag, assessment.segment)) for flag in assessment.flags
        )
    return outputs


def summary_outputs(summaries: Sequence[CallSummary]) -> list[Output]:
    """Each summary, in the given order."""
    return [Output("calls", summary.call_id.encode(), encode_summary(summary)) for summary in summaries]


def dead_letter_outputs(letters: Sequence[DeadLetter]) -> list[Output]:
    """Each dead letter, in the given order."""
    return [
        Output("dead_letters", letter.key, letter.value, letter.headers, forwarded=letter.forwarded)
        for letter in letters
    ]


def state_output(record: CallStateRecord, partition: int, largest_bytes: int) -> Output:
    """A call's state; when it is too large to be written, a tombstone, since an older state would be wrong."""
    value = encode_call_state(record)
    return Output(
        "state",
        record.call_id.encode(),
        value if len(value) <= largest_bytes else None,
        partition=partition,
    )


def state_tombstone(call_id: str, partition: int) -> Output:
    """Nothing of a call is needed any more."""
    return Output("state", call_id.encode(), None, {}, partition)


def declare_outputs(broker: KafkaBroker, names: TopicNames) -> None:
    """Names in the broker's AsyncAPI document what is sent where."""
    for target, schema in _SCHEMAS.items():
        broker.publisher(getattr(names, target), title=target, schema=schema)


async def send_in_order(
    producer: AIOKafkaProducer, names: TopicNames, outputs: Sequence[Output]
) -> tuple[int, BaseException | None]:
    """Sends outputs and waits for all that were taken in.

    Within a transaction, acknowledged means written; readers see it once the transaction is committed.

    Returns:
        How many were acknowledged up to the first that was not, and what became of that one. Some after it may have
        been acknowledged: to keep the order of each key, everything from it on is to be sent again.
    """
    futures: list[asyncio.Future[object]] = []
    refused: BaseException | None = None
    try:
        for output in outputs:
            futures.append(await _taken_in(producer, getattr(names, output.target), output))  # noqa: PERF401 - see below
    except (KafkaError, IllegalOperation) as error:
        refused = error  # the latter: the producer was fenced, and has no transaction any more
    # What was taken in before a failure is waited for all the same.
    for acknowledged, outcome in enumerate(await asyncio.gather(*futures, return_exceptions=True)):
        if isinstance(outcome, BaseException):
            return acknowledged, outcome
    return len(futures), refused


async def _taken_in(producer: AIOKafkaProducer, topic: str, output: Output) -> "asyncio.Future[object]":
    headers = [*((name, value.encode()) for name, value in output.headers.items()), *output.forwarded]
    future: asyncio.Future[object] = await producer.send(
        topic, output.value, output.key, output.partition, headers=headers
    )
    return future
