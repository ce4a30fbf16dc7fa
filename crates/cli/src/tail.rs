//! The lines of a log that is still written: a file that grows, or a pipe.
//!
//! A line counts when its end is there. A file that becomes shorter, or whose name belongs to another file by now, is
//! not the log any more, and that is an error: lines would be missing.

use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tristan_ground::{is_zipped, unzip};

use crate::exit::{CommandError, Exit, OrExit};

/// How long to wait for more.
const PAUSE: Duration = Duration::from_millis(50);
/// Lines of a pipe that are read ahead.
const AHEAD: usize = 1024;

/// What comes next.
pub(crate) enum Next {
    /// A line, with the character that ends it; the last one of a pipe may lack it.
    Line(Vec<u8>),
    /// Nothing yet.
    Nothing,
    /// Nothing more.
    End,
}

/// The lines of a log that is still written.
pub(crate) enum Tail {
    File(GrowingFile),
    /// What comes from a pipe, and its name.
    Pipe(Receiver<io::Result<Vec<u8>>>, String),
}

impl Tail {
    /// The lines of a file from this place on, or those of standard input (`-`).
    pub(crate) fn open(path: &Path, from: u64) -> Result<Self, CommandError> {
        if path == Path::new("-") {
            return Ok(Self::Pipe(lines_of(io::stdin()), "standard input".to_owned()));
        }
        let name = || path.display().to_string();
        let mut file = File::open(path).with_context(name).or_exit(Exit::MissingInput)?;
        let metadata = file.metadata().with_context(name).or_exit(Exit::MissingInput)?;
        if metadata.is_dir() {
            let problem = format!("{} is a folder; name a log, or a pipe", name());
            return Err(CommandError::new(Exit::BadInput, problem));
        }
        if !metadata.is_file() {
            return Ok(Self::Pipe(lines_of(file), name()));
        }
        if metadata.len() < from {
            return Err(shorter(path));
        }
        file.seek(SeekFrom::Start(from)).with_context(name).or_exit(Exit::MissingInput)?;
        let (mut lines, path) = (BufReader::with_capacity(1 << 16, file), path.to_owned());
        if is_zipped(&mut lines).with_context(name).or_exit(Exit::MissingInput)? {
            let problem = format!(
                "{} is compressed, so it no longer grows; leave --follow out, or pipe it: \
                 gunzip -c FILE | tristan audit --follow -",
                name()
            );
            return Err(CommandError::new(Exit::BadInput, problem));
        }
        Ok(Self::File(GrowingFile { path, lines, line: Vec::new(), read: from }))
    }

    /// Whether it can be read again from its beginning.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// The next line, or how things stand after a short wait.
    pub(crate) fn next(&mut self) -> Result<Next, CommandError> {
        match self {
            Self::File(file) => file.next(),
            Self::Pipe(lines, name) => match lines.recv_timeout(PAUSE) {
                Ok(line) => {
                    let line = line.with_context(|| name.clone()).or_exit(Exit::BadInput)?;
                    Ok(Next::Line(line))
                }
                Err(RecvTimeoutError::Timeout) => Ok(Next::Nothing),
                Err(RecvTimeoutError::Disconnected) => Ok(Next::End),
            },
        }
    }
}

/// The first line of a file.
pub(crate) fn first_line(path: &Path) -> Result<Vec<u8>, CommandError> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(name).or_exit(Exit::MissingInput)?;
    let mut line = Vec::new();
    let read = unzip(BufReader::new(file)).and_then(|mut input| input.read_until(b'\n', &mut line));
    read.with_context(name).or_exit(Exit::MissingInput)?;
    Ok(line)
}

/// A file that grows.
pub(crate) struct GrowingFile {
    path: PathBuf,
    lines: BufReader<File>,
    /// The line whose end is not there yet.
    line: Vec<u8>,
    read: u64,
}

impl GrowingFile {
    fn next(&mut self) -> Result<Next, CommandError> {
        let name = || self.path.display().to_string();
        let more = self.lines.read_until(b'\n', &mut self.line);
        let more = more.with_context(name).or_exit(Exit::BadInput)?;
        self.read += more as u64;
        if self.line.ends_with(b"\n") {
            return Ok(Next::Line(std::mem::take(&mut self.line)));
        }
        self.is_the_same()?;
        thread::sleep(PAUSE);
        Ok(Next::Nothing)
    }

    /// Whether what was read is still the beginning of the file with this name.
    fn is_the_same(&self) -> Result<(), CommandError> {
        let name = || self.path.display().to_string();
        let own = self.lines.get_ref().metadata().with_context(name).or_exit(Exit::BadInput)?;
        if own.len() < self.read {
            return Err(shorter(&self.path));
        }
        // A file without a name, or whose name now stands for another one, gets no more lines.
        match fs::metadata(&self.path) {
            Ok(named) if is_same(&own, &named) => Ok(()),
            _ => Err(CommandError::new(
                Exit::BadInput,
                format!(
                    "{}: the log was moved or replaced while it was followed; follow the new file from its beginning",
                    name()
                ),
            )),
        }
    }
}

fn shorter(path: &Path) -> CommandError {
    let problem = "the log is shorter than what was read of it; it was truncated";
    CommandError::new(Exit::BadInput, anyhow!("{}: {problem}", path.display()).to_string())
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.len() <= other.len()
}

/// Reads lines on a thread of its own, so that waiting for one does not keep the program from anything else.
fn lines_of(from: impl io::Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (send, lines) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut from = BufReader::with_capacity(1 << 16, from);
        loop {
            let mut line = Vec::new();
            let read = from.read_until(b'\n', &mut line);
            let over = matches!(read, Ok(0));
            if over || send.send(read.map(|_| line)).is_err() {
                return;
            }
        }
    });
    lines
}
