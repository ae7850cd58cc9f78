"""Medical words: which terms there are, how every word sounds, how common it is. Built once, loaded fast."""
