//! Reads a trace line by line, never holding more than a few blocks of lines and never a monstrous
//! one.
//!
//! ```text
//!   Blocks ──► parse ──► (number, what the line says) ──► step ──► Result<(), ContentError>
//!              on several threads                         on this one, in order
//! ```
//!
//! Parsing looks at one line and nothing else, so it can run ahead. What comes out is the same
//! whatever the number of threads, errors included: they are reported when their line's turn comes.
//!
//! A recorder that is killed leaves half a line behind. So a last line without a line break
//! that is not JSON is set aside with a warning; the same text anywhere else is an error.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use tristan_ground::Threads;

use super::blocks::{Block, BlockError, BlockLine, Blocks, line_too_long};
use crate::error::{ContentError, TraceError, quote};

pub(crate) use super::blocks::LONGEST;

/// Less than this many bytes are not worth starting threads.
const ALONE: usize = 4 << 20;
/// Threads that parse, at most: more of them only wait for the one that follows the lines.
const MOST_WORKERS: usize = 6;
/// Blocks per thread that are parsed or wait for their turn.
const AHEAD: usize = 3;

/// A trace being read.
pub(crate) struct Lines<'a, R> {
    blocks: Blocks<R>,
    file: &'a str,
    /// How many lines come before the next block, or before the line at which reading stopped.
    number: u32,
    seen_any: bool,
}

/// What happened to a line or a block.
enum Outcome {
    Fine,
    /// The last line is cut off.
    CutOff(String),
}

impl<'a, R: BufRead> Lines<'a, R> {
    pub(crate) fn new(input: R, file: &'a str) -> Self {
        Self { blocks: Blocks::new(input), file, number: 0, seen_any: false }
    }

    /// Shows every line that is not blank to `step`; returns a warning if the last was cut off.
    pub(crate) fn each(
        &mut self,
        mut step: impl FnMut(u32, &str) -> Result<(), ContentError>,
    ) -> Result<Option<String>, TraceError> {
        while let Some(block) = self.next()? {
            if let Outcome::CutOff(warning) = self.walk(&block, &mut step)? {
                return Ok(Some(warning));
            }
        }
        Ok(None)
    }

    /// The same, where `parse` sees the text, and whether it is the first one, and `step` what comes
    /// out. Lines of a large trace are parsed on several threads.
    pub(crate) fn each_parsed<T: Send>(
        &mut self,
        parse: impl Fn(&str, bool) -> Result<T, ContentError> + Sync,
        mut step: impl FnMut(u32, T) -> Result<(), ContentError>,
    ) -> Result<Option<String>, TraceError> {
        let (mut bytes, mut first) = (0, true);
        while bytes < ALONE || !self.seen_any {
            let Some(block) = self.next()? else { return Ok(None) };
            bytes += block.len();
            let both = |number: u32, text: &str| {
                step(number, parse(text, std::mem::replace(&mut first, false))?)
            };
            if let Outcome::CutOff(warning) = self.walk(&block, both)? {
                return Ok(Some(warning));
            }
        }
        match workers() {
            0 => self.each(|number, text| step(number, parse(text, false)?)),
            workers => self.ahead(workers, |text| parse(text, false), step),
        }
    }

    /// The name of the input.
    pub(crate) fn file(&self) -> &'a str {
        self.file
    }

    /// An error where reading stopped.
    pub(crate) fn error(&self, found: &str, expected: &str) -> TraceError {
        TraceError::content(self.file, self.number.saturating_add(1), found, expected)
    }

    fn next(&mut self) -> Result<Option<Block>, TraceError> {
        self.blocks.next().map_err(|failure| self.failed(failure))
    }

    /// The complaint about what comes after the last block.
    fn failed(&self, failure: BlockError) -> TraceError {
        match failure {
            BlockError::Io(error) => TraceError::io(self.file, error),
            BlockError::LineTooLong => line_too_long().at(self.file, self.number.saturating_add(1)),
        }
    }

    /// Goes through a block.
    fn walk(
        &mut self,
        block: &Block,
        mut step: impl FnMut(u32, &str) -> Result<(), ContentError>,
    ) -> Result<Outcome, TraceError> {
        for line in block.lines() {
            let number = self.number.saturating_add(line.place).saturating_add(1);
            let done = match &line.text {
                Ok(text) => step(number, text).map_err(|problem| ParseError::of(&line, problem)),
                Err(_) => Err(ParseError::text(line)),
            };
            match done {
                Ok(()) => self.seen_any = true,
                Err(wrong) => return self.judge(number, wrong),
            }
        }
        self.number = self.number.saturating_add(block.count());
        Ok(Outcome::Fine)
    }

    /// Whether something wrong is only the end of a line that was cut off.
    fn judge(&mut self, number: u32, wrong: ParseError) -> Result<Outcome, TraceError> {
        self.number = number.saturating_sub(1);
        match wrong.cut {
            Some(text) if self.seen_any => Ok(Outcome::CutOff(format!(
                "line {number} is cut off and was ignored: {}",
                quote(&text)
            ))),
            _ => Err(wrong.problem.at(self.file, number)),
        }
    }

    /// Lets other threads parse and follows them.
    fn ahead<T: Send>(
        &mut self,
        workers: usize,
        parse: impl Fn(&str) -> Result<T, ContentError> + Sync,
        step: impl FnMut(u32, T) -> Result<(), ContentError>,
    ) -> Result<Option<String>, TraceError> {
        let (jobs, queue) = sync_channel(AHEAD * workers);
        let queue = Mutex::new(queue);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| work(&queue, &parse));
            }
            self.follow(AHEAD * workers, jobs, step)
        })
    }

    /// Hands out blocks, and takes what was parsed in order. The workers stop when `jobs` is gone.
    fn follow<T>(
        &mut self,
        most: usize,
        jobs: SyncSender<Job<T>>,
        mut step: impl FnMut(u32, T) -> Result<(), ContentError>,
    ) -> Result<Option<String>, TraceError> {
        let mut waiting = VecDeque::new();
        let mut end = None;
        loop {
            while waiting.len() < most && end.is_none() {
                match self.blocks.next() {
                    Ok(Some(block)) => {
                        let (answer, parsed) = sync_channel(1);
                        waiting.push_back(parsed);
                        if jobs.send(Job { block, answer }).is_err() {
                            break;
                        }
                    }
                    Ok(None) => end = Some(Ok(None)),
                    Err(failure) => end = Some(Err(failure)),
                }
            }
            let Some(parsed) = waiting.pop_front() else { break };
            // There is no answer only if a worker panicked, which ends everything.
            let Ok(parsed) = parsed.recv() else { break };
            if let Outcome::CutOff(warning) = self.take(parsed, &mut step)? {
                return Ok(Some(warning));
            }
        }
        end.unwrap_or(Ok(None)).map_err(|failure| self.failed(failure))
    }

    /// Follows the lines of a block that was parsed.
    fn take<T>(
        &mut self,
        parsed: Parsed<T>,
        mut step: impl FnMut(u32, T) -> Result<(), ContentError>,
    ) -> Result<Outcome, TraceError> {
        let before = self.number;
        let number = |place: u32| before.saturating_add(place).saturating_add(1);
        for (place, item) in parsed.lines {
            if let Err(problem) = step(number(place), item) {
                // Only what cannot be parsed can be cut off.
                return self.judge(number(place), ParseError { problem, cut: None });
            }
        }
        if let Some((place, wrong)) = parsed.wrong {
            return self.judge(number(place), wrong);
        }
        self.number = before.saturating_add(parsed.count);
        Ok(Outcome::Fine)
    }
}

/// How many threads parse besides the one that follows.
fn workers() -> usize {
    (Threads::default().resolved() - 1).min(MOST_WORKERS)
}

/// A block to be parsed, and where to send what comes out.
struct Job<T> {
    block: Block,
    answer: SyncSender<Parsed<T>>,
}

/// The lines of a block, up to the first one that cannot be parsed.
struct Parsed<T> {
    lines: Vec<(u32, T)>,
    count: u32,
    wrong: Option<(u32, ParseError)>,
}

/// Something wrong with a line.
struct ParseError {
    problem: ContentError,
    /// The text of the line, if it may have been cut off.
    cut: Option<String>,
}

impl ParseError {
    fn of(line: &BlockLine<'_>, problem: ContentError) -> Self {
        let text = line.text.as_ref().ok().filter(|_| problem.malformed && !line.complete);
        Self { cut: text.map(|text| (*text).to_owned()), problem }
    }

    /// The text itself is wrong.
    fn text(line: BlockLine<'_>) -> Self {
        let problem = line.text.err().unwrap_or_else(line_too_long);
        Self { problem, cut: None }
    }
}

/// Parses blocks until there are no more.
fn work<T>(queue: &Mutex<Receiver<Job<T>>>, parse: &impl Fn(&str) -> Result<T, ContentError>) {
    loop {
        let job = queue.lock().map(|queue| queue.recv());
        let Ok(Ok(Job { block, answer })) = job else { return };
        // The receiver may be gone, after an error.
        let _ = answer.send(parsed(&block, parse));
    }
}

fn parsed<T>(block: &Block, parse: &impl Fn(&str) -> Result<T, ContentError>) -> Parsed<T> {
    let mut parsed = Parsed { lines: Vec::new(), count: block.count(), wrong: None };
    for line in block.lines() {
        let wrong = match &line.text {
            Ok(text) => match parse(text) {
                Ok(item) => {
                    parsed.lines.push((line.place, item));
                    continue;
                }
                Err(problem) => ParseError::of(&line, problem),
            },
            Err(_) => {
                parsed.wrong = Some((line.place, ParseError::text(line)));
                return parsed;
            }
        };
        parsed.wrong = Some((line.place, wrong));
        break;
    }
    parsed
}
