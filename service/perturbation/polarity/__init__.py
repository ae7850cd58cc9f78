"""Turns yes into no and back, so that the sentence stays grammatical: answers, negations and plain statements."""
