"""What is sent, and the ways of sending it: at once through the broker's producer, or within a transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from aiokafka import AIOKafkaProducer
from aiokafka.errors import KafkaError
from faststream.kafka import KafkaBroker

from streams.call_state import CallStateRecord, encode_call_state
from streams.dead_letters import DeadLetter
from streams.encoding import encode_assessment, encode_flag, encode_summary
from streams.messages import Assessment, CallSummary
from streams.schemas import AssessmentRecord, CallRecord, FlagRecord
from streams.topics import TopicNames

Target = Literal["assessments", "flags", "calls", "dead_letters", "state"]

_SCHEMAS: Final[dict[Target, type | None]] = {
    "assessments": AssessmentRecord,
    "flags": FlagRecord,
    "calls": CallRecord,
    "dead_letters": None,
    "state": None,
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
    """

    target: Target
    key: bytes | None = field(repr=False)
    value: bytes | None = field(repr=False)
    headers: dict[str, str] = field(default_factory=lambda: _JSON)
    partition: int | None = None


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
    return [Output("dead_letters", letter.key, letter.value, letter.headers) for letter in letters]


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


class Sender(Protocol):
    """Hands outputs to a producer, in order."""

    async def send(self, output: Output) -> "asyncio.Future[object]":
        """Takes an output in. The future tells that the broker has acknowledged it, or why not.

        Raises:
            aiokafka.errors.KafkaError: it could not even be taken in.
        """
        ...


class BrokerSender:
    """Sends through the broker's own producer; names in the AsyncAPI document what is sent where."""

    def __init__(self, broker: KafkaBroker, names: TopicNames) -> None:
        self._topics = {
            target: broker.publisher(getattr(names, target), title=target, schema=schema)
            for target, schema in _SCHEMAS.items()
        }

    async def send(self, output: Output) -> "asyncio.Future[object]":
        """See `Sender`."""
        future: asyncio.Future[object] = await self._topics[output.target].publish(
            output.value,
            key=output.key,
            headers=output.headers,
            partition=output.partition,
            no_confirm=True,
        )
        return future


class TransactionSender:
    """Sends through a producer that has a transaction open."""

    def __init__(self, producer: AIOKafkaProducer, names: TopicNames) -> None:
        self._producer = producer
        self._names = names

    async def send(self, output: Output) -> "asyncio.Future[object]":
        """See `Sender`; acknowledged means written, and seen by readers only once the transaction is committed."""
        future: asyncio.Future[object] = await self._producer.send(
            getattr(self._names, output.target),
            output.value,
            output.key,
            output.partition,
            headers=[(name, value.encode()) for name, value in output.headers.items()],
        )
        return future


async def send_in_order(sender: Sender, outputs: Sequence[Output]) -> tuple[int, BaseException | None]:
    """Sends outputs and waits for all that were taken in.

    Returns:
        How many were acknowledged up to the first that was not, and what became of that one. Some after it may have
        been acknowledged: to keep the order of each key, everything from it on is to be sent again.
    """
    futures: list[asyncio.Future[object]] = []
    refused: BaseException | None = None
    try:
        for output in outputs:
            futures.append(await sender.send(output))  # noqa: PERF401 - what was sent before a failure is waited for
    except KafkaError as error:
        refused = error
    for acknowledged, outcome in enumerate(await asyncio.gather(*futures, return_exceptions=True)):
        if isinstance(outcome, BaseException):
            return acknowledged, outcome
    return len(futures), refused
