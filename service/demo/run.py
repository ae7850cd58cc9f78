"""One run of the demo: an empty broker, the service, the consultations through both, and what came of it."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from service.composition import model_store
from service.demo.bundle import consultation_files, planted_errors
from service.demo.comparison import Comparison, compare
from service.demo.environment import demo_settings, free_port
from service.demo.listener import Outcomes, listen
from service.demo.process import service_process
from service.demo.screen import Screen, Starts
from service.errors import AuscultError
from service.kafka_errors import plain_kafka_failures
from service.settings import ModelSettings, Settings
from streams.embedded_broker import BrokerUnavailable, embedded_broker
from streams.replay import Pace, RecordedLine, read_recordings, replay

PATIENCE_SECONDS: Final = 300.0
"""How long after the last word of the calls their outcomes may take."""


class BrokerMissing(AuscultError):
    """The embedded broker is not installed or did not start."""


class OutcomesMissing(AuscultError):
    """The service runs, but has not published everything about the calls."""


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What to show.

    Attributes:
        calls: Names of consultations.
        speed: How many times faster than the conversations were.
        port: Where the service should answer HTTP, if it is free.
        keep_running: Whether the service stays up when the calls are over.
    """

    calls: tuple[str, ...]
    speed: float
    port: int
    keep_running: bool = False


async def run_demo(options: DemoOptions, own: Settings, screen: Screen) -> Comparison:
    """Runs the demo and shows it.

    Args:
        options: What to show.
        own: Your settings; the models that they name are built.
        screen: Where it is shown.

    Raises:
        UnknownConsultation: there is no such consultation.
        BrokerMissing: the embedded broker is not installed or did not start.
        DemoServiceFailed: the service ended early or was not ready in time.
        OutcomesMissing: the service did not publish everything in time.
        KafkaUnusable: the broker ended early.
    """
    lines = read_recordings(consultation_files(options.calls))
    starts = {(line.call_id, line.fields["sequence"]): line.fields["start"] for line in lines}
    with _broker() as broker:
        settings = demo_settings(own, broker, free_port(options.port))
        screen.say(f"Broker on {broker}. Starting the service ...")
        async with service_process(settings) as service:
            await service.ready()
            screen.say(f"Service ready. Metrics: {service.url}/metrics")
            outcomes = await service.while_running(_follow(lines, starts, options.speed, settings, screen))
            comparison = compare(planted_errors(options.calls), tuple(outcomes.flags.values()))
            screen.summaries(outcomes.summaries.values(), starts)
            screen.comparison(comparison, starts)
            if options.keep_running:
                screen.say(f"The service stays up. Metrics: {service.url}/metrics. Ctrl-C ends it.")
                await service.while_running(asyncio.Event().wait())
    return comparison


def build_models(settings: ModelSettings, screen: Screen) -> None:
    """Builds the models that the settings name and that are not there yet.

    Raises:
        ModelUnavailable: one cannot be built.
    """
    store = model_store(settings)
    for model_id in settings.used:
        if not store.state(model_id).built:
            screen.say(f"Building {model_id} (once) ...")
            with screen.progress(model_id, 1.0) as advance:
                store.build(model_id, advance)


@contextmanager
def _broker() -> Iterator[str]:
    with ExitStack() as stack:
        try:
            address = stack.enter_context(embedded_broker())
        except BrokerUnavailable as error:
            raise BrokerMissing(str(error)) from None
        yield address


async def _follow(
    lines: Sequence[RecordedLine], starts: Starts, speed: float, settings: Settings, screen: Screen
) -> Outcomes:
    """Replays the calls and shows their flags as they come; returns when everything about them has come."""
    outcomes = Outcomes(Counter(line.call_id for line in lines))
    connection, topics = settings.kafka.connection(), settings.kafka.topics.names()
    length = max(line.at for line in lines)
    with screen.progress("Calls", len(lines)) as advance:
        screen.flags_begin()
        listening = asyncio.create_task(
            listen(
                connection,
                topics,
                outcomes,
                on_flag=lambda raised: screen.flag(raised, starts),
                on_assessed=lambda count: advance(f"{count} of {len(lines)} segments assessed", count),
            )
        )
        try:
            with plain_kafka_failures(connection):
                async with asyncio.timeout(length / speed + PATIENCE_SECONDS):
                    await replay(lines, connection, topics.segments, Pace(speed))
                    await listening
        except TimeoutError:
            raise OutcomesMissing(
                f"{len(outcomes.assessed)} of {len(lines)} segments were assessed in time, "
                f"and {len(outcomes.summaries)} of {len(outcomes.expected)} calls summarised"
            ) from None
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)
    return outcomes
