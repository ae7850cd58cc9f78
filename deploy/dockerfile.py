"""Reads a Dockerfile as far as ours goes: stages, and the instructions of each."""

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: its name in capitals, and all that follows it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Stage:
    """What is between one FROM and the next.

    Attributes:
        base: The image, or the stage, that it begins with.
        name: What other stages call it; None: it has no name.
        instructions: In their order.
    """

    base: str
    name: str | None
    instructions: list[Instruction] = field(default_factory=list)

    def values(self, name: str) -> list[str]:
        """Of every instruction of this name."""
        return [each.value for each in self.instructions if each.name == name]


def read_stages(text: str) -> list[Stage]:
    """The stages of a Dockerfile. What stands before the first FROM is left out."""
    stages: list[Stage] = []
    for line in _joined(text):
        name, value = line.split(maxsplit=1)
        if name == "FROM":
            base, _, alias = value.partition(" AS ")
            stages.append(Stage(base, alias or None))
        elif stages:
            stages[-1].instructions.append(Instruction(name, value))
    return stages


def variables(value: str) -> dict[str, str]:
    """The variables of an ENV instruction."""
    return dict(re.findall(r"(\w+)=(\S+)", value))


def _joined(text: str) -> list[str]:
    """Instructions without comments, each on one line."""
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [" ".join(line.split()) for line in re.sub(r"\\\n", " ", code).splitlines() if line.strip()]
