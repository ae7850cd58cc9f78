"""Sending outputs, and waiting until the broker has acknowledged every one of them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from faststream.kafka import KafkaBroker

from streams.dead_letters import DeadLetter
from streams.encoding import encode_assessment, encode_flag, encode_summary
from streams.messages import Assessment, CallSummary
from streams.schemas import AssessmentRecord, CallRecord, FlagRecord
from streams.topics import TopicNames

Target = Literal["assessments", "flags", "calls", "dead_letters"]

_SCHEMAS: Final[dict[Target, type | None]] = {
    "assessments": AssessmentRecord,
    "flags": FlagRecord,
    "calls": CallRecord,
    "dead_letters": None,
}
_JSON: Final = {"content-type": "application/json"}


@dataclass(frozen=True, slots=True)
class Output:
    """One record to send.

    Attributes:
        target: The topic, by its field of `TopicNames`.
        key: The call id; a dead letter's original key.
        value: JSON; a dead letter's original value.
        headers: Hold no transcript text.
    """

    target: Target
    key: bytes | None = field(repr=False)
    value: bytes = field(repr=False)
    headers: dict[str, str] = field(default_factory=lambda: _JSON)


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


class Publisher:
    """Sends outputs through the broker's producer."""

    def __init__(self, broker: KafkaBroker, names: TopicNames) -> None:
        self._topics = {
            target: broker.publisher(getattr(names, target), title=target, schema=schema)
            for target, schema in _SCHEMAS.items()
        }

    async def publish(self, outputs: Sequence[Output]) -> None:
        """Sends all outputs, in order within a key, and returns once all are acknowledged.

        Raises:
            aiokafka.errors.KafkaError: one was not acknowledged; others may have been.
        """
        sent = [
            await self._topics[output.target].publish(
                output.value, key=output.key, headers=output.headers, no_confirm=True
            )
            for output in outputs
        ]
        await asyncio.gather(*sent)
