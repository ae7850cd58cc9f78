"""What was said in a call's recent lines: a term that was spoken of is likelier to be meant again.

The idea of cache language models (Kuhn and De Mori, "A cache-based natural language model for speech recognition",
1990), for terms that the language model's own context no longer reaches or does not weigh enough.
"""

from collections.abc import Sequence

from service.dialogue.lines import Line
from service.dialogue.tokens import bare


class RecentSpeech:
    """The words of some lines, both speakers'."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._text = "\n".join(f" {bare(line.spoken)} " for line in lines)

    def speaks_of(self, term: str) -> bool:
        """Whether the term was said, in the singular or the plural."""
        singular = term.removesuffix("s")
        return f" {singular} " in self._text or f" {singular}s " in self._text
