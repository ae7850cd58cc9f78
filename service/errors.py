"""The service's own errors: their messages say what to do, and hold no transcript text."""


class AuscultError(Exception):
    """Something that whoever runs the command can mend."""
