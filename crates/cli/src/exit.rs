//! How the program ends, and which ending wins when there are several.

use std::io::{self, ErrorKind};

use tristan_verdict::{Answer, Verdict};

/// How a command ended, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The level holds, or the command did what it was told.
    Accept,
    /// The level is violated, or a verdict was refused.
    Reject,
    /// Not decided.
    Unknown,
    /// The command line is invalid.
    Usage,
    /// The trace or the verdict file cannot be understood.
    BadInput,
    /// The input is not there.
    MissingInput,
    /// We made a mistake.
    Bug,
    /// An output cannot be written: the disk is full or broken.
    Unwritten,
    /// The command was told to stop (Ctrl-C, SIGTERM) before it was done.
    Interrupted,
}

impl Exit {
    /// The number the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Accept => 0,
            Self::Reject => 1,
            Self::Unknown => 2,
            Self::Usage => 64,
            Self::BadInput => 65,
            Self::MissingInput => 66,
            Self::Bug => 70,
            Self::Unwritten => 74,
            Self::Interrupted => 130,
        }
    }

    /// The ending when an input cannot be read: damaged data is there, but cannot be understood.
    pub(crate) fn of_reading(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::InvalidData => Self::BadInput,
            _ => Self::MissingInput,
        }
    }

    /// The ending of a verdict.
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict.answer {
            Answer::Accept { .. } => Self::Accept,
            Answer::Reject { .. } => Self::Reject,
            Answer::Unknown { .. } => Self::Unknown,
        }
    }

    /// The ending of two pieces of work: reject wins over error, error over unknown, unknown
    /// over accept. Of two errors the first counts.
    pub(crate) fn or_worse(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Accept => 0,
            Self::Unknown => 1,
            Self::Usage
            | Self::BadInput
            | Self::MissingInput
            | Self::Bug
            | Self::Unwritten
            | Self::Interrupted => 2,
            Self::Reject => 3,
        }
    }
}

/// Work that could not be done, with the ending it leads to.
#[derive(Debug)]
pub(crate) struct CommandError {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What to tell the user.
    pub(crate) error: anyhow::Error,
}

impl CommandError {
    /// An output could not be written. If its name cannot be used at all, the command line is wrong;
    /// otherwise the disk is full or broken.
    pub(crate) fn unwritten(error: anyhow::Error) -> Self {
        let kind = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
        let exit = match kind.map(io::Error::kind) {
            Some(
                ErrorKind::NotFound
                | ErrorKind::PermissionDenied
                | ErrorKind::AlreadyExists
                | ErrorKind::NotADirectory
                | ErrorKind::DirectoryNotEmpty
                | ErrorKind::IsADirectory
                | ErrorKind::ReadOnlyFilesystem
                | ErrorKind::InvalidInput,
            ) => Exit::Usage,
            _ => Exit::Unwritten,
        };
        Self { exit, error }
    }

    /// A failure with a message of our own.
    pub(crate) fn new(exit: Exit, message: String) -> Self {
        Self { exit, error: anyhow::Error::msg(message) }
    }

    /// The same, with the place it is about before the message.
    pub(crate) fn at(self, place: &str) -> Self {
        Self { error: anyhow::anyhow!("{place}: {:#}", self.error), ..self }
    }
}

/// Says which ending an error leads to.
pub(crate) trait OrExit<T> {
    /// The value, or a failure that ends this way.
    fn or_exit(self, exit: Exit) -> Result<T, CommandError>;

    /// The value, or the failure to write an output.
    fn or_unwritten(self) -> Result<T, CommandError>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit) -> Result<T, CommandError> {
        self.map_err(|error| CommandError { exit, error: error.into() })
    }

    fn or_unwritten(self) -> Result<T, CommandError> {
        self.map_err(|error| CommandError::unwritten(error.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_no_wrong_command_line() {
        let exit = |kind: ErrorKind| {
            let error = anyhow::Error::from(io::Error::from(kind)).context("trace.jsonl");
            CommandError::unwritten(error).exit
        };
        assert_eq!(exit(ErrorKind::StorageFull), Exit::Unwritten);
        assert_eq!(exit(ErrorKind::NotFound), Exit::Usage);
    }

    #[test]
    fn reject_wins_over_error_over_unknown_over_accept() {
        let ranked = [Exit::Accept, Exit::Unknown, Exit::BadInput, Exit::Reject];
        for (place, weaker) in ranked.iter().enumerate() {
            for stronger in &ranked[place..] {
                assert_eq!(weaker.or_worse(*stronger), *stronger);
                assert_eq!(stronger.or_worse(*weaker), *stronger);
            }
        }
        assert_eq!(Exit::BadInput.or_worse(Exit::MissingInput), Exit::BadInput);
    }
}
