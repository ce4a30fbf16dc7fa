//! Standard output, which may be a terminal, a file, or a pipe whose reader is gone.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use anyhow::Context;
use tristan_report::Style;

use crate::args::When;
use crate::exit::{CommandError, OrExit};

/// Columns if the terminal does not say.
const WIDTH: usize = 100;

/// Standard output.
pub(crate) struct Output {
    /// Not locked for good: the watchdog may have to speak.
    out: BufWriter<Stdout>,
    style: Style,
    /// The reader of the pipe is gone; the command goes on for the sake of its exit code.
    closed: bool,
}

impl Output {
    /// Standard output, with colours if they are wanted.
    pub(crate) fn stdout(color: When) -> Self {
        let terminal = io::stdout().is_terminal();
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = match color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && !no_color,
        };
        let columns = terminal_size::terminal_size().filter(|_| terminal);
        let width = columns.map_or(WIDTH, |(width, _)| usize::from(width.0));
        let out = BufWriter::new(io::stdout());
        Self { out, style: Style { width, colour }, closed: false }
    }

    /// How text is laid out here.
    pub(crate) fn style(&self) -> Style {
        self.style
    }

    /// Prints text.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), CommandError> {
        self.write_bytes(text.as_bytes())
    }

    /// Prints what need not be text.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        let written = if self.closed { Ok(()) } else { self.out.write_all(bytes) };
        self.settle(written)
    }

    /// Prints what is still in the buffer.
    pub(crate) fn finish(&mut self) -> Result<(), CommandError> {
        let written = if self.closed { Ok(()) } else { self.out.flush() };
        self.settle(written)
    }

    fn settle(&mut self, written: io::Result<()>) -> Result<(), CommandError> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            other => other.context("standard output").or_unwritten(),
        }
    }
}

/// Text from a trace, without characters that a terminal would obey.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}
