"""Speech that was lost between the words that came: turns that break off, answers that never came, silence."""
