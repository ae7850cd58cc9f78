"""All settings: from `AUSCULT_...` variables over a TOML file over defaults; validated at start, then frozen."""

import os
import re
import tomllib
from dataclasses import astuple
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from service.errors import AuscultError
from service.monitor_settings import MonitorSettings
from streams.adapters.conversion import RecogniserFormat
from streams.adapters.registry import Format
from streams.connection import Connection, Encryption, Login, Mechanism
from streams.decoding import Limits
from streams.messages import Speaker
from streams.topics import TopicNames

ENVIRONMENT_PREFIX: Final = "AUSCULT_"
CONFIG_VARIABLE: Final = "AUSCULT_CONFIG"

TOPIC_NAME: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")
"""What Kafka takes as the name of a topic."""

_TOPICS: Final = TopicNames()
_LIMITS: Final = Limits()


class InvalidSettings(AuscultError):
    """A setting is wrong. Names it, and never shows its value."""


def _listed(value: Any) -> Any:
    """`a,b` as a list, so that a variable need not hold JSON."""
    if isinstance(value, str):
        return [item.strip() for item in value.split(",") if item.strip()]
    return value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
"""In a variable: names separated by commas."""

SheddableSignal = Literal[
    "contradiction", "dialogue_gaps", "embedding_drift", "entity_validity", "hallucination", "perplexity"
]
"""Signals that ask a model: the others cost next to nothing."""

SheddableSignals = Annotated[tuple[SheddableSignal, ...], NoDecode, BeforeValidator(_listed)]


class _Frozen(BaseModel):
    # Inputs are hidden: a wrong value may be a password in the wrong place.
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class TopicSettings(_Frozen):
    """What the topics are called."""

    prefix: str = Field("", description="Put before every topic's name.")
    segments: str = Field(_TOPICS.segments, description="Final segments and ends of calls: read.")
    assessments: str = Field(_TOPICS.assessments, description="An assessment of each segment: written.")
    flags: str = Field(_TOPICS.flags, description="What a person should look at: written.")
    calls: str = Field(_TOPICS.calls, description="A summary of each call: written.")
    state: str = Field(
        _TOPICS.state, description="What is known of each open call: written, and read when partitions move."
    )
    reviews: str = Field(_TOPICS.reviews, description="People's decisions about flags and calls.")
    audit: str = Field(_TOPICS.audit, description="Who saw and did what.")
    dead_letters: str = Field(_TOPICS.dead_letters, description="Records that could not be read: written.")

    def names(self) -> TopicNames:
        """The names with their prefix."""
        return TopicNames(**self.model_dump(exclude={"prefix"})).prefixed(self.prefix)


class RecogniserTopicSettings(_Frozen):
    """How a topic is read that holds a recogniser's own messages."""

    format: Format = Field(description="Which recogniser's.")
    channels: dict[str, Speaker] = Field(
        {}, description="Who speaks on each audio channel, by the recogniser's name for it."
    )
    labels: dict[str, Speaker] = Field(
        {}, description="Who the speakers are that the recogniser tells apart, by its name for them."
    )
    language: str | None = Field(None, description="Language of messages that do not say.")
    model: str | None = Field(None, description="Recogniser's model, where messages do not say.")
    tenant: str | None = Field(None, description="Tenant of records without the header auscult-tenant.")
    sessions_end_calls: bool = Field(
        True, description="Whether the end of the recogniser's session ends the call."
    )

    def recogniser_format(self) -> RecogniserFormat:
        """The same as the adapters take it."""
        return RecogniserFormat(name=self.format, **self.model_dump(exclude={"format"}))


class SecuritySettings(_Frozen):
    """Who we are to Kafka, and how the connection is encrypted."""

    mechanism: Mechanism | None = Field(None, description="SASL mechanism; none: no authentication.")
    username: str | None = Field(None, description="SASL user.")
    password: SecretStr | None = Field(None, description="SASL password.")
    tls: bool = Field(False, description="Whether the connection is encrypted.")
    ca_file: Path | None = Field(None, description="Trusted authorities, PEM; the system's if unset.")
    certificate_file: Path | None = Field(None, description="Client certificate, PEM.")
    key_file: Path | None = Field(None, description="Private key of the client certificate, PEM.")
    key_password: SecretStr | None = Field(None, description="Password of the private key.")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.mechanism is not None and (not self.username or self.password is None):
            raise ValueError("a mechanism needs username and password")
        if self.mechanism is None and (self.username is not None or self.password is not None):
            raise ValueError("username and password need a mechanism")
        if not self.tls and (self.ca_file or self.certificate_file or self.key_file):
            raise ValueError("certificate files need tls = true")
        return self

    def login(self) -> Login | None:
        """The login, if there is one."""
        if self.mechanism is None or self.username is None or self.password is None:
            return None
        return Login(self.mechanism, self.username, self.password.get_secret_value())

    def encryption(self) -> Encryption | None:
        """The encryption, if there is one."""
        if not self.tls:
            return None
        password = None if self.key_password is None else self.key_password.get_secret_value()
        return Encryption(self.ca_file, self.certificate_file, self.key_file, password)


class BatchSettings(_Frozen):
    """How much one poll may bring, and how much of it is assessed at once."""

    records: int = Field(64, ge=1, description="Records of one poll at most.")
    segments: int = Field(64, ge=1, description="Segments assessed at once; a record may hold several.")
    characters: int = Field(
        16_384, ge=1, description="Text assessed at once; about four characters are a token."
    )
    timeout_seconds: float = Field(0.05, gt=0, le=5, description="How long an empty poll waits.")
    fetch_seconds: float = Field(
        0.04, ge=0.001, le=5, description="How long the broker may hold a fetch for which it has nothing."
    )


class DeadLetterSettings(_Frozen):
    """When so much cannot be read that the service stops, before a bad release drains a topic."""

    share: float = Field(
        0.5, ge=0, le=1, description="Of the last records; above it the service stops. 1: never."
    )
    window: int = Field(1_000, ge=1, description="Records looked back on.")


class SheddingSettings(_Frozen):
    """What is left out while polls are late."""

    signals: SheddableSignals = Field((), description="Signals to leave out, comma-separated; none: nothing.")
    from_seconds: float = Field(30.0, gt=0, description="Age of a poll from which they are left out.")
    until_seconds: float = Field(5.0, gt=0, description="Age below which they are measured again.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.until_seconds > self.from_seconds:
            raise ValueError("until_seconds must not be more than from_seconds")
        return self


class KafkaSettings(_Frozen):
    """Where segments come from and results go to."""

    bootstrap_servers: Names = Field(
        ("localhost:9092",), min_length=1, description="host:port, comma-separated."
    )
    client_id: str = Field("auscult", min_length=1, description="What the brokers' logs call us.")
    group: str = Field("auscult", min_length=1, description="Consumer group; replicas share the work of one.")
    member: str | None = Field(None, description="Static member id (group.instance.id), unique per replica.")
    security: SecuritySettings = SecuritySettings()
    topics: TopicSettings = TopicSettings()
    recogniser_topics: dict[str, RecogniserTopicSettings] = Field(
        {}, description="Further topics to read, of recognisers' own messages, by their whole name."
    )
    batch: BatchSettings = BatchSettings()
    shedding: SheddingSettings = SheddingSettings()
    delivery: Literal["at_least_once", "exactly_once"] = Field(
        "at_least_once",
        description="exactly_once: outputs, state and offsets in one transaction, for readers of what is committed.",
    )
    dead_letters: DeadLetterSettings = DeadLetterSettings()
    create_topics: bool = Field(False, description="Whether to create missing topics at start.")
    partitions: int = Field(12, ge=1, description="Partitions of topics created here.")
    replication: int = Field(3, ge=1, description="Copies of each partition of topics created here.")
    idempotence: bool = Field(True, description="Whether the producer asks for idempotence.")
    session_seconds: float = Field(
        45.0, gt=0, description="Without a heartbeat for this long: out of the group."
    )
    heartbeat_seconds: float = Field(3.0, gt=0, description="Between two heartbeats.")
    poll_interval_seconds: float = Field(300.0, gt=0, description="A poll may take this long at most.")
    drain_seconds: float = Field(
        20.0, gt=0, description="A poll in flight may take this long at shutdown and when partitions move."
    )

    @field_validator("bootstrap_servers")
    @classmethod
    def _with_ports(cls, servers: tuple[str, ...]) -> tuple[str, ...]:
        for server in servers:
            host, _, port = server.rpartition(":")
            if not host or not port.isdigit():
                raise ValueError("each server must be host:port")
        return servers

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.heartbeat_seconds * 2 > self.session_seconds:
            raise ValueError("session_seconds must be at least twice heartbeat_seconds")
        return self

    @model_validator(mode="after")
    def _topics_apart(self) -> Self:
        for name in self.recogniser_topics:
            if name in astuple(self.topics.names()):
                raise ValueError("recogniser_topics names a topic that Auscult has for its own messages")
            if not TOPIC_NAME.fullmatch(name):
                raise ValueError("recogniser_topics has a name that no topic can have")
        return self

    def input_topics(self) -> tuple[str, ...]:
        """Every topic that is read."""
        return (self.topics.names().segments, *self.recogniser_topics)

    def formats(self) -> dict[str, RecogniserFormat]:
        """How the recognisers' topics are read, by topic."""
        return {name: topic.recogniser_format() for name, topic in self.recogniser_topics.items()}

    def connection(self) -> Connection:
        """How to reach the brokers."""
        return Connection(
            self.bootstrap_servers, self.client_id, self.security.login(), self.security.encryption()
        )


class LimitSettings(_Frozen):
    """The largest input that is read; anything beyond is a dead letter."""

    record_bytes: int = Field(_LIMITS.record_bytes, ge=1_024, le=1_048_576, description="Of a record.")
    text_characters: int = Field(_LIMITS.text_characters, ge=1, description="Of a segment's text.")
    words: int = Field(_LIMITS.words, ge=1, description="Of a segment.")
    nesting: int = Field(_LIMITS.nesting, ge=3, description="Objects and lists within each other.")
    call_id_characters: int = Field(_LIMITS.call_id_characters, ge=1, description="Of a call id.")
    field_characters: int = Field(_LIMITS.field_characters, ge=1, description="Of any other text field.")

    def decoding(self) -> Limits:
        """The limits as the decoder takes them."""
        return Limits(**self.model_dump())


class ModelSettings(_Frozen):
    """Which models are used, where they are and how they are run."""

    store: Path | None = Field(None, description="Folder of built models; the user's cache folder if unset.")
    manifests: tuple[Path, ...] = Field((), description="Further manifests, for your own models.")
    language_model: str = Field("smollm2-135m-instruct", description="Model id.")
    embedding: str = Field("all-minilm-l6-v2", description="Model id.")
    contradiction: str | None = Field(
        None, description="Model id: it must confirm what the rules only suspect. None: the rules decide."
    )
    lexicon: str = Field("clinical-lexicon", description="Model id.")
    provider: Literal["cpu", "cuda"] = Field("cpu", description="Where models run.")
    strict: bool = Field(False, description="Whether falling back to the CPU is an error.")
    threads: int | None = Field(
        None, ge=1, description="Language model passes side by side, a thread each; all usable CPUs if unset."
    )
    spinning: bool = Field(
        False, description="Whether idle threads spin: faster alone, at the cost of others."
    )
    arena: bool = Field(True, description="Whether freed memory is kept for the next run.")
    cached_tokens: int = Field(
        49_152, ge=0, description="Tokens that the language model remembers, over all calls."
    )
    window_tokens: int = Field(
        512, ge=16, multiple_of=2, description="Tokens of context and text looked at together."
    )
    rows_per_pass: int = Field(
        128, ge=1, description="Tokens in one pass of the language model, padding included."
    )

    @field_validator("contradiction", mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return value or None

    @property
    def used(self) -> tuple[str, ...]:
        """The ids of the models that the service opens."""
        optional = () if self.contradiction is None else (self.contradiction,)
        return (self.language_model, self.embedding, *optional, self.lexicon)


class LabelSettings(_Frozen):
    """Values that metric labels may have; anything else is `other`."""

    tenant: Names = Field((), description="Tenants, comma-separated.")
    asr_provider: Names = Field((), description="Recogniser providers, comma-separated.")
    asr_model: Names = Field((), description="Recogniser models, comma-separated.")


class HttpSettings(_Frozen):
    """Where metrics, probes and documents are served."""

    host: str = Field("0.0.0.0", description="Address to listen on.")  # noqa: S104 - probes come from outside the pod
    port: int = Field(8080, ge=0, le=65_535, description="Port to listen on; 0: any free one.")
    stalled_seconds: float = Field(120.0, gt=0, description="Without a poll for this long: not live.")
    waiting_seconds: float = Field(5.0, gt=0, description="Kafka waited for this long: not ready.")


class LogSettings(_Frozen):
    """Logs. They never hold transcript text, at any level."""

    format: Literal["json", "console"] = Field("json", description="json for machines, console for people.")
    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least level.")


class Settings(BaseSettings):
    """Everything that can be set. A variable's name joins the parts with `__`: `AUSCULT_KAFKA__GROUP`."""

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
        env_prefix=ENVIRONMENT_PREFIX,
        env_nested_delimiter="__",
        nested_model_default_partial_update=True,
    )

    kafka: KafkaSettings = KafkaSettings()
    limits: LimitSettings = LimitSettings()
    models: ModelSettings = ModelSettings()
    labels: LabelSettings = LabelSettings()
    monitor: MonitorSettings = MonitorSettings()
    http: HttpSettings = HttpSettings()
    logs: LogSettings = LogSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003 - the signature is the library's
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Variables win over the file, which is what is passed to the constructor."""
        return env_settings, init_settings


def load_settings(config: Path | None = None, *, bootstrap_servers: str | None = None) -> Settings:
    """Reads the settings.

    Args:
        config: A TOML file; None: the one that `AUSCULT_CONFIG` names, if it names one.
        bootstrap_servers: Wins over `kafka.bootstrap_servers` of the file and of the environment.

    Raises:
        InvalidSettings: the file cannot be read, or a setting is unknown or wrong.
    """
    named = os.environ.get(CONFIG_VARIABLE)
    path = config or (Path(named) if named else None)
    content = {} if path is None else _read(path)
    _refuse_unknown_variables()
    try:
        settings = Settings(**content)
        if bootstrap_servers is None:
            return settings
        kafka = KafkaSettings(**{**dict(settings.kafka), "bootstrap_servers": bootstrap_servers})
        return settings.model_copy(update={"kafka": kafka})
    except ValidationError as error:
        raise InvalidSettings(_explain(error)) from None
    except SettingsError as error:
        raise InvalidSettings(f"{error}: a list or a table must be written as JSON") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InvalidSettings(f"{path}: not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidSettings(f"{path}: not valid TOML: {error}") from None


def _refuse_unknown_variables() -> None:
    """The settings library checks the nested parts of a name only: a misspelt section would be ignored in silence.

    Names without `__` pass, since Kubernetes itself sets such as `AUSCULT_SERVICE_HOST`.
    """
    for name in os.environ:
        if name.startswith(ENVIRONMENT_PREFIX) and "__" in name:
            section = name.removeprefix(ENVIRONMENT_PREFIX).split("__")[0].lower()
            if section not in Settings.model_fields:
                raise InvalidSettings(f"{name}: there is no such setting")


def _explain(error: ValidationError) -> str:
    """One line that names every wrong setting and what is wrong with it, without its value."""
    return "; ".join(
        f"{'.'.join(map(str, problem['loc']))}: {problem['msg'].removeprefix('Value error, ')}"
        for problem in error.errors(include_url=False, include_context=False, include_input=False)
    )
