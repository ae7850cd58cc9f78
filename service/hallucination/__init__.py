"""What recognisers invent: sentences from video captions, loops, other scripts, words where nobody spoke."""
