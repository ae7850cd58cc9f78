"""Whether the service is alive and whether it is ready, as probes ask."""

from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer

from service.live.ownership import Ownership
from service.live.patience import Patience


@dataclass(slots=True)
class Health:
    """What the probes look at.

    Attributes:
        ownership: Which partitions are read.
        patience: Whether Kafka is being waited for.
        stalled_seconds: Without a poll for this long the service is not alive, unless Kafka is waited for.
        waiting_seconds: When Kafka is waited for this long the service is not ready.
        consumer: Once it is connected.
        broker_answers: Whether the broker answered when it was last asked.
        stopping: Whether the service is going down.
    """

    ownership: Ownership
    patience: Patience
    stalled_seconds: float
    waiting_seconds: float
    consumer: AIOKafkaConsumer | None = None
    broker_answers: bool = True
    stopping: bool = False

    @property
    def idle_seconds(self) -> float:
        """How long ago the consumer was last asked for records; 0 while it is being asked or before it is there."""
        if self.consumer is None:
            return 0.0
        # What the client's own max_poll_interval looks at; it has no public name.
        return float(self.consumer._subscription.fetcher_idle_time)

    def live(self) -> tuple[bool, dict[str, Any]]:
        """Whether polls go on, and by what that is judged. A broker that is away is no reason to start anew."""
        idle, waiting = self.idle_seconds, self.patience.waiting_seconds
        alive = idle < self.stalled_seconds or waiting > 0
        return alive, {"seconds_since_poll": round(idle, 3), "seconds_waiting_for_kafka": round(waiting, 3)}

    def ready(self) -> tuple[bool, dict[str, Any]]:
        """Whether segments are assessed here, and by what that is judged. Models were warm before this existed."""
        live, reasons = self.live()
        assigned = len(self.ownership.partitions)
        reachable = self.broker_answers and self.patience.waiting_seconds < self.waiting_seconds
        ready = live and assigned > 0 and reachable and not self.stopping
        return ready, {
            **reasons,
            "assigned_partitions": assigned,
            "broker_answers": self.broker_answers,
            "stopping": self.stopping,
        }
