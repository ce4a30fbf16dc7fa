"""What ends a command with a message instead of a stack trace."""


class Failure(Exception):
    """An error that the user can do something about."""
