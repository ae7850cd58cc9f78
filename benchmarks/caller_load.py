"""Simulated callers on a broker: sends what they say when it is due, and notes when it was assessed."""

import asyncio
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from benchmarks.calls import Call
from benchmarks.traffic import TelephoneLine, Timed, telephone_line
from streams.encoding import encode_call_ended
from streams.messages import CallEnded, Segment

PAST_SEGMENTS: Final = 16
"""Of a call that is joined midway: about as many as the language model's context holds."""

_Key = tuple[str, int]


@dataclass(slots=True)
class Traced:
    """One segment on its way, in seconds since 1970.

    Attributes:
        sent: Its record's Kafka timestamp.
        assessed: Its assessment's Kafka timestamp, once that has come.
    """

    sent: float
    assessed: float | None = None


@dataclass(slots=True)
class CallerLoad:
    """Callers, as many as `resize` asks for. One asyncio task a line, all on one loop.

    Attributes:
        producer: Sends segments; started.
        consumer: Receives assessments; started, reads all partitions.
        topic: Where segments go.
        calls: What is said.
        pace: How quickly it is said: 1 in real time, 0.5 half as quickly.
        traced: Every segment sent so far.
        ended: Every call ended so far.
        repeated: Assessments of segments that had one already.
    """

    producer: AIOKafkaProducer
    consumer: AIOKafkaConsumer
    topic: str
    calls: Sequence[Call] = field(repr=False)
    pace: float = 1.0
    traced: dict[_Key, Traced] = field(default_factory=dict, repr=False)
    ended: set[str] = field(default_factory=set, repr=False)
    repeated: int = 0
    _lines: list["asyncio.Task[None]"] = field(default_factory=list)
    _joined: int = 0
    _waiting: dict[_Key, "asyncio.Future[None]"] = field(default_factory=dict, repr=False)

    @property
    def under_way(self) -> int:
        """Segments sent and not yet assessed."""
        return len(self._waiting)

    async def receive(self) -> None:
        """Notes assessments for as long as it is not cancelled."""
        while True:
            polled = await self.consumer.getmany(timeout_ms=1000)
            for records in polled.values():
                for record in records:
                    self._assessed(record.value, record.timestamp / 1000)

    async def resize(self, count: int) -> None:
        """Makes it so many lines. What was said before on those that join is sent at once.

        Returns when the service has caught up with it: from then on all of them speak at their pace.
        """
        while len(self._lines) > count:
            self._lines.pop().cancel()
        joining: list[TelephoneLine] = []
        while len(self._lines) + len(joining) < count:
            joining.append(telephone_line(self.calls, f"line-{self._joined}"))
            self._joined += 1
        for line in joining:
            for segment in line.past[-PAST_SEGMENTS:]:
                await self._send(segment)
        await self.caught_up()
        began = time.monotonic()
        self._lines += [asyncio.create_task(self._speak(line, began)) for line in joining]

    async def caught_up(self) -> None:
        """Returns when everything sent so far, by lines that still speak too, has been assessed."""
        if self._waiting:
            await asyncio.wait(tuple(self._waiting.values()))

    async def hang_up(self) -> None:
        """Ends all lines."""
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)
        self._lines.clear()

    async def while_receiving(self, work: Coroutine[Any, Any, Any]) -> Any:
        """The result of some work, with assessments noted meanwhile.

        Raises:
            aiokafka.errors.KafkaError: assessments cannot be read.
        """
        receiving = asyncio.ensure_future(self.receive())
        working = asyncio.ensure_future(work)
        try:
            await asyncio.wait({receiving, working}, return_when=asyncio.FIRST_COMPLETED)
            return receiving.result() if receiving.done() else working.result()
        finally:
            for task in (receiving, working):
                task.cancel()
            await asyncio.gather(receiving, working, return_exceptions=True)
            await self.hang_up()

    async def _speak(self, line: TelephoneLine, began: float) -> None:
        timed: Timed
        for timed in line.coming:
            await asyncio.sleep(max(0.0, began + timed.due / self.pace - time.monotonic()))
            await self._send(timed.message)

    async def _send(self, message: Segment | CallEnded) -> None:
        now = int(time.time() * 1000)
        if isinstance(message, Segment):
            key = (message.call_id, message.sequence)
            self.traced[key] = Traced(now / 1000)
            self._waiting[key] = asyncio.get_running_loop().create_future()
        else:
            self.ended.add(message.call_id)
        await self.producer.send(self.topic, _encoded(message), message.call_id.encode(), timestamp_ms=now)

    def _assessed(self, value: bytes, written: float) -> None:
        fields = orjson.loads(value)
        key = (fields["call_id"], fields["sequence"])
        trace = self.traced[key]
        self.repeated += trace.assessed is not None
        trace.assessed = written
        if (waiting := self._waiting.pop(key, None)) is not None:
            waiting.set_result(None)


def _encoded(message: Segment | CallEnded) -> bytes:
    if isinstance(message, CallEnded):
        return encode_call_ended(message)
    return orjson.dumps(
        {
            "call_id": message.call_id,
            "sequence": message.sequence,
            "speaker": message.speaker,
            "start": message.start,
            "end": message.end,
            "text": message.text,
        }
    )
