"""What a call leaves to whoever goes on with it: its state as plain data, written and read back part by part."""
